import { z } from 'zod'

/** A JSON schema as far as these tests look into it. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(Schema).optional()
  },
  get items() {
    return Schema.optional()
  },
  get properties() {
    return z.record(z.string(), Schema).optional()
  },
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
})

export type JsonSchema = z.infer<typeof Schema>

const Content = z.record(z.string(), z.looseObject({ schema: Schema }))
const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  description: z.string().optional(),
  schema: Schema,
})
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().default(''),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string().default(''), content: Content.optional() })),
})

/** The OpenAPI document. */
export const ApiDocument = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
})
export type ApiDocument = z.infer<typeof ApiDocument>

/** One operation with its method in upper case, its path as the document writes it, and the schema of its body. */
export type ApiOperation = z.infer<typeof Operation> & { method: string; path: string; body: JsonSchema | undefined }

/** All operations of a document. */
export function operationsOf({ paths }: ApiDocument): ApiOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      body: operation.requestBody?.content['application/json']?.schema,
    })),
  )
}

/** Returns the schema itself, where it may be a reference into the document. */
export function resolved(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolved(document, document.components.schemas[name] ?? {})
}

/** Fetches the document of a running API. */
export const fetchDocument = async (url: string): Promise<ApiDocument> =>
  ApiDocument.parse(await (await fetch(`${url}/openapi.json`)).json())
