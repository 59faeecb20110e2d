import type { components, paths } from '@placefleet/client'
import { productDocument } from '../../../harness/coordinator/documented-answers.ts'

export type Schemas = components['schemas']

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

type RoutesAt<Path extends keyof paths & string> = {
  [M in Method]: paths[Path] extends Record<M, { responses: unknown }> ? `${Uppercase<M>} ${Path}` : never
}[Method]

/** An operation of the API, such as `GET /api/v1/jobs/{id}`. */
export type RouteName = { [Path in keyof paths & string]: RoutesAt<Path> }[keyof paths & string]

type OperationOf<Name extends RouteName> = Name extends `${infer M} ${infer Path}`
  ? Path extends keyof paths
    ? Lowercase<M> extends keyof paths[Path]
      ? paths[Path][Lowercase<M>]
      : never
    : never
  : never

type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : undefined

type Succeeds<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
  : never

type SentBody<Operation> = Operation extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : undefined

/** What the console sent. */
type Sent<Body = unknown> = { parts: Readonly<Record<string, string>>; query: URLSearchParams; body: Body }

type Answer<Name extends RouteName> = Succeeds<OperationOf<Name>> | Refused | Undocumented | typeof NO_CONNECTION

/** The body of the answer, or how to make it. */
type RouteOf<Name extends RouteName> =
  | Answer<Name>
  | ((sent: Sent<SentBody<OperationOf<Name>>>) => Answer<Name> | Promise<Answer<Name>>)

/** What a test answers in place of a coordinator. */
export type Routes = { [Name in RouteName]?: RouteOf<Name> }

/** In place of an answer: nothing answers. */
export const NO_CONNECTION = Symbol('no connection')

/** An answer that refuses a request. */
class Refused {
  readonly status: number
  readonly body: Schemas['Error']

  constructor(status: number, body: Schemas['Error']) {
    this.status = status
    this.body = body
  }
}

export const refused = (status: number, message: string, details: Record<string, string> = {}): Refused =>
  new Refused(status, {
    code: status,
    error: 'a_test',
    message,
    request_id: 'a-request',
    details: Object.entries(details).map(([path, text]) => ({ path, message: text })),
  })

/** An answer that the document does not allow, for a test of what the console makes of a fault. */
export class Undocumented {
  readonly body: unknown

  constructor(body: unknown) {
    this.body = body
  }
}

/**
 * A `fetch` that answers as the routes say, each time as they are then. What is asked without a route, and what the
 * OpenAPI document does not say of an answer, or of a request that is not refused, is a fault.
 */
export function createFakeApi(routes: Routes) {
  const { operationOf, faultOfRequest, faultOf } = productDocument()
  const faults: string[] = []
  const requests: (Sent & { name: string })[] = []
  const headers: Record<string, string> = {}
  const faulty = (name: string, fault: string) => {
    faults.push(`${name}: ${fault}`)
    return jsonResponse(404, refused(404, fault).body)
  }
  const answered = async (request: Request): Promise<Response> => {
    const { method } = request
    const url = new URL(request.url)
    const operation = operationOf(method, url.pathname)
    if (!operation) return faulty(`${method} ${url.pathname}`, 'the OpenAPI document has no such operation')
    const name = `${method} ${operation.path}`
    const body = await bodyOf(request)
    const sent = { parts: operation.parts, query: url.searchParams, body }
    requests.push({ name, ...sent })
    if (!(name in routes)) return faulty(name, 'the test gives no answer')
    const route: unknown = Reflect.get(routes, name)
    const answer: unknown = await (typeof route === 'function' ? route(sent) : route)
    const wrong = faultOfRequest(method, url, { type: request.headers.get('content-type') ?? undefined, body })
    const isRefused = answer instanceof Refused && answer.status < 500
    if (wrong !== undefined && !isRefused)
      return faulty(name, `the console sends what the OpenAPI document does not say: ${wrong}`)
    if (answer === NO_CONNECTION) throw new TypeError('Failed to fetch')
    if (answer instanceof Undocumented) return jsonResponse(200, answer.body)
    const statuses = Object.keys(operation.responses).map(Number)
    const success = statuses.find((status) => status < 300) ?? 200
    const { status, body: json } = answer instanceof Refused ? answer : { status: success, body: answer }
    const type = json === undefined ? undefined : 'application/json'
    const fault = faultOf(method, url.pathname, { status, type, body: json })
    if (fault !== undefined) return faulty(name, `the test answers what the OpenAPI document does not say: ${fault}`)
    return jsonResponse(status, json, headers)
  }
  return {
    /** The routes of the test, which it may change. */
    routes,
    /** What was wrong with the console or with the test. */
    faults,
    /** What the console sent and the document knows, in its order. */
    requests,
    /** Headers of each answer from now on. */
    headers,
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      answered(input instanceof Request ? input : new Request(new URL(String(input), location.href), init)),
  }
}

const jsonResponse = (status: number, json: unknown, headers: Record<string, string> = {}): Response =>
  json === undefined
    ? new Response(null, { status, headers })
    : new Response(JSON.stringify(json), { status, headers: { ...headers, 'content-type': 'application/json' } })

/** Returns the JSON that a request brings, or the text of another body. */
async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text()
  if (text === '') return undefined
  return request.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
}
