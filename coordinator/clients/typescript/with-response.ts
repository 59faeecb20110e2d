import type { CallOptions } from './connection.ts'

/** What a call returned, with the status and the headers of its last response. */
export type WithResponse<Data> = { data: Data; status: number; headers: Headers; requestId: string | undefined }

/**
 * Makes a call, and returns its result with the response: `withResponse((options) => placefleet.jobs.get(id,
 * options))`. The headers say for example what remains of a rate limit. A call of several requests has the response of
 * the last one.
 * @throws the errors of the call.
 */
export async function withResponse<Data>(call: (options: CallOptions) => Promise<Data>): Promise<WithResponse<Data>> {
  let last: Response | undefined
  const onResponse = (response: Response) => {
    last = response
  }
  const data = await call({ onResponse })
  if (last === undefined) throw new TypeError('The call sent no request. Pass it the options that it is called with.')
  const { status, headers } = last
  return { data, status, headers, requestId: headers.get('x-request-id') ?? undefined }
}
