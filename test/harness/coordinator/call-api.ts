import { checkDocumented } from './documented-answers.ts'

export type CallOptions = {
  key?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Sent unchanged. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

/**
 * Calls an API and follows no redirect. `body` is parsed when the answer is JSON. Fails after 90 s without an answer,
 * and when a coordinator answers what its OpenAPI document does not say.
 */
export async function callApi(url: string, method: string, options: CallOptions = {}): Promise<Answer> {
  const { key, body, rawBody, headers } = options
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(90_000),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined && rawBody === undefined ? {} : { body: rawBody ?? JSON.stringify(body) }),
  })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? undefined
  const isJson = /^application\/(\w+\+)?json\b/.test(type ?? '') // GeoJSON too
  const answered = isJson && text !== '' ? JSON.parse(text) : undefined
  const { status } = response
  checkDocumented(method, url, { status, type, body: answered })
  return { status, headers: response.headers, text, body: answered }
}
