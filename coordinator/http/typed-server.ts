import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import type { z } from 'zod'

/**
 * What a route may answer with: the serializer prints a `Date` where the schema has a text, and drops members that the
 * schema does not name. So a stored document may go out as it is, but for what has another name or meaning there.
 */
export type Answer<Value> = Value extends string
  ? Value | Date
  : Value extends object
    ? { [Name in keyof Value]: Answer<Value[Name]> }
    : Value

/** Types requests and answers by their zod schemas. */
export interface ZodTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? Answer<z.output<this['schema']>> : unknown
}

/** The HTTP server type that every route plugin takes. Route schemas are zod schemas. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse<IncomingMessage>,
  FastifyBaseLogger,
  ZodTypes
>
