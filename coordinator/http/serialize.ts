import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import { z } from 'zod'

type Serialize = (answer: unknown) => string

/**
 * Serializes responses by their schemas: unknown members are dropped, and a missing one is a server error. The code is
 * compiled when a route first answers, once for all routes whose schemas are alike.
 */
export function createSerializer(): FastifySerializerCompiler<z.ZodType> {
  const compiled = new Map<string, Serialize>()
  const compile = (schema: z.ZodType): Serialize => {
    const text = JSON.stringify(jsonSchemaOf(schema))
    const serialize: Serialize = compiled.get(text) ?? fastJson(JSON.parse(text))
    compiled.set(text, serialize)
    return serialize
  }
  return ({ schema }) => {
    let serialize: Serialize | undefined
    return (answer) => {
      serialize ??= compile(schema)
      return serialize(answer)
    }
  }
}

/** The schema without descriptions, which differ where the shapes do not, and without formats, which are trusted unescaped. */
function jsonSchemaOf(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      for (const member of ['description', 'examples', 'format'] as const) delete jsonSchema[member]
    },
  })
}
