import type { components, paths } from '@placefleet/client/schema'
import createClient from 'openapi-fetch'

export type Schemas = components['schemas']

/** The API client, with types from the OpenAPI document. The browser adds the session cookie. */
export const api = createClient<paths>({ baseUrl: '' })

/** An error response of the API. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly body: Partial<Schemas['Error']>
  /** The delay that the API requests, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: Partial<Schemas['Error']>, retryAfterMs: number | undefined) {
    super(body.message ?? `HTTP ${status}`)
    this.status = status
    this.body = body
    this.retryAfterMs = retryAfterMs
  }
}

const isIn = (field: string, path: string): boolean => path === field || path.startsWith(`${field}.`)

/** Returns the fault of a field in the request body; undefined when the error does not name the field. */
export function detailOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined
  return error.body.details?.find(({ path }) => isIn(field, path))?.message
}

/**
 * Returns the message of an error without the faults of `fields`, which a form shows at these fields; undefined when no
 * other fault is left.
 */
export function messageBeside({ message, body: { details = [] } }: ApiFailure, fields: readonly string[]) {
  if (details.length === 0) return message
  const others = details.filter(({ path }) => !fields.some((field) => isIn(field, path)))
  if (others.length === 0) return undefined
  return others.map((fault) => `${fault.path} ${fault.message}`.trim()).join('; ')
}

type Answer<Data> = { data?: Data | undefined; error?: unknown; response: Response }

/**
 * Returns the body of a successful response.
 * @throws ApiFailure for any other response.
 */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call
  if (response.ok) return data as Data
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const body = typeof error === 'object' && error !== null ? error : {}
  throw new ApiFailure(response.status, body, Number.isNaN(seconds) ? undefined : seconds * 1_000)
}
