import type { components, paths } from '@placefleet/client/schema'
import createClient from 'openapi-fetch'

export type Schemas = components['schemas']

/** The API, by the types of its own document. The session cookie goes along by itself. */
export const api = createClient<paths>({ baseUrl: '' })

/** An answer of the API that is not a success. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly body: Partial<Schemas['Error']>
  /** How long the API asks us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, body: Partial<Schemas['Error']>, retryAfterMs: number | undefined) {
    super(body.message ?? `HTTP ${status}`)
    this.status = status
    this.body = body
    this.retryAfterMs = retryAfterMs
  }

  /** What is wrong with a field of the body that was sent. */
  detailOf(field: string): string | undefined {
    return this.body.details?.find(({ path }) => path === field || path.startsWith(`${field}.`))?.message
  }
}

type Answer<Data> = { data?: Data | undefined; error?: unknown; response: Response }

/**
 * The body of a successful answer.
 * @throws ApiFailure for any other.
 */
export async function answered<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call
  if (response.ok) return data as Data
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const body = typeof error === 'object' && error !== null ? error : {}
  throw new ApiFailure(response.status, body, Number.isNaN(seconds) ? undefined : seconds * 1_000)
}
