import type { FastifySerializerCompiler } from 'fastify'
import type { z } from 'zod'

/**
 * Serializes a response by its schema: unknown members are dropped, and an invalid response is a server error. Uses
 * `parse`, because no response schema transforms anything and `encode` takes twice as long.
 */
export const serializeByZod: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (answer) =>
    JSON.stringify(schema.parse(answer))
