import { type components, Placefleet } from '@placefleet/client'
import { serverClock } from './clock.ts'

export { unwrap } from '@placefleet/client'

export type Schemas = components['schemas']

/** Every call of the API. The browser adds the session cookie, and the cache of queries retries. */
export const { api, jobs, monitors } = new Placefleet({
  apiKey: null,
  retry: { attempts: 1 },
  fetch: fetchAndReadClock,
})

async function fetchAndReadClock(request: Request): Promise<Response> {
  const response = await fetch(request)
  serverClock.read(response.headers.get('date'))
  return response
}
