import type { FastifySerializerCompiler } from 'fastify'
import type { z } from 'zod'

/**
 * Writes an answer as its schema has it: what the schema does not name is left out, what contradicts it is a failure of
 * ours. By `parse`, since no schema of an answer transforms anything, and `encode` takes twice as long.
 */
export const serializeByZod: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (answer) =>
    JSON.stringify(schema.parse(answer))
