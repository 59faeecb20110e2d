import type { Report } from '@placefleet/shared/commands/command'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { errorResponses, type FailureStatus, jsonResponse, noContent } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { parsePart } from '../http/validation-and-serialization.ts'
import { type OpsCommand, opsCommand } from './commands/context.ts'
import { type ApiContext, type OperatorContext, operatorContext } from './operator-context.ts'

type Empty = z.ZodObject<Record<never, never>, z.core.$loose>

type Input<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject> = z.output<Params> &
  z.output<Query> &
  z.output<Body>

/** An operation of the API below `/api/v1/admin`. */
type ApiSpec<Context, Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject, Result> = {
  /** Its name in the API. */
  name: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: `/${string}`
  topic: 'users' | 'credits' | 'jobs' | 'fleet'
  summary: string
  description?: string
  params?: Params
  query?: Query
  body?: Body
  /** The schema of the answer. Without one the API answers 204. */
  answer?: z.ZodType<Result>
  /** What the answer is. */
  meaning: string
  /** 201 when it creates what it answers with. */
  status?: 201
  /** The errors that do not follow from its parameters and its body. */
  errors?: FailureStatus[]
  /** Does the work. The input is the parameters of the path and of the query, and the body. */
  run(context: Context, input: Input<Params, Query, Body>): Promise<Result>
}

/** The command of `ops` that does the same. */
type CommandSpec<Options extends z.ZodObject, Input, Result> = {
  words: string
  about: string
  argument?: keyof z.infer<Options> & string
  options: Options
  input(options: z.infer<Options>, context: OperatorContext): Input | Promise<Input>
  /** What `--json` prints; by default the result. */
  json?(result: Result, options: z.infer<Options>): unknown
  text(result: Result, options: z.infer<Options>): string
}

/** An operation of operators: registers its route, if it has one, and has a command of `ops`, if it has one. */
export type Operation = {
  route?(app: Server, contextFor: (request: FastifyRequest) => ApiContext): void
  command?: OpsCommand
}

/** An operation of the API and of `ops`. */
export function operation<
  Result,
  Options extends z.ZodObject,
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
  Body extends z.ZodObject = Empty,
>(
  spec: ApiSpec<OperatorContext, Params, Query, Body, Result> & {
    command: CommandSpec<Options, Input<Params, Query, Body>, Result>
  },
): Operation {
  const { input, json = (result: Result): unknown => result, text, ...command } = spec.command
  return {
    ...apiOperation(spec),
    command: opsCommand({
      ...command,
      async run(ops, options): Promise<Report> {
        const context = await operatorContext(ops)
        const result = await spec.run(context, await input(options, context))
        return { data: json(result, options), text: text(result, options) }
      },
    }),
  }
}

/** An operation of the API alone. */
export function apiOperation<
  Result,
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
  Body extends z.ZodObject = Empty,
>(spec: ApiSpec<ApiContext, Params, Query, Body, Result>): Operation {
  const { name: operationId, method, path: url, topic, summary, description, params, query, body, run } = spec
  const { answer, meaning, status = answer ? 200 : 204, errors = [] } = spec
  const response: Record<number, z.ZodType> = {
    [status]: answer ? jsonResponse(answer, meaning) : noContent(meaning),
    ...errorResponses(403, ...errors),
  }
  const schema = {
    tags: [`operators: ${topic}`],
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    response,
  }
  return {
    route(app, contextFor) {
      app.route({
        method,
        url,
        schema,
        validatorCompiler: () => (value) => ({ value }), // below, where the types are known
        async handler(request, reply) {
          const input = {
            ...partOf(params, request.params, 'params'),
            ...partOf(body, request.body, 'body'),
            ...partOf(query, request.query, 'querystring'),
          }
          const result = await run(contextFor(request), input)
          return reply.code(status).send(answer ? result : undefined)
        },
      })
    },
  }
}

/** A part of the input. An operation without the part has no schema for it, and the part is empty. */
function partOf<Schema extends z.ZodObject>(schema: Schema | undefined, data: unknown, part: string): z.output<Schema>
function partOf(schema: z.ZodObject | undefined, data: unknown, part: string) {
  return schema ? parsePart(schema, data, part) : {}
}

/** A command of `ops` alone. */
export const commandOnly = (command: OpsCommand): Operation => ({ command })
