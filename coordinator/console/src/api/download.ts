import { ConnectionError } from '@placefleet/client'
import { unwrap } from './client.ts'

/**
 * Asks for a file, and reads only the beginning of the answer.
 * @throws PlacefleetError when the API refuses or does not answer.
 */
export async function throwRefusal(href: string): Promise<void> {
  const rest = new AbortController()
  const response = await fetch(href, { signal: rest.signal }).catch((cause) => {
    throw new ConnectionError({ status: 0, body: {}, cause })
  })
  const error: unknown = response.ok ? undefined : await response.json()
  await unwrap(Promise.resolve({ error, response }))
  rest.abort()
}
