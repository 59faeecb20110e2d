import { Result } from '@placefleet/coordinator/results/schema'
import { Job } from '@placefleet/shared/job'
import { z } from 'zod'

const Created = z.object({ id: z.string() })
const ResultPage = z.object({ results: z.array(Result), web_presence_counts: z.record(z.string(), z.number()) })

export type ResultPage = z.infer<typeof ResultPage>

/** The calls of the public API that the demo makes. */
export type DemoClient = {
  create(request: Record<string, unknown>): Promise<string>
  job(id: string): Promise<Job>
  /** Reads the first places, only of `tiers` when given. */
  firstResults(id: string, limit: number, tiers?: string): Promise<ResultPage>
  csv(id: string): Promise<Response>
}

/** Creates a client with an API key. A failed call throws an error with the API's message. */
export function createDemoClient(url: string, key: string): DemoClient {
  const call = async (path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  return {
    create: async (request) => Created.parse(await (await call('/jobs', request)).json()).id,
    job: async (id) => Job.parse(await (await call(`/jobs/${id}`)).json()),
    firstResults: async (id, limit, tiers = 'all') =>
      ResultPage.parse(await (await call(`/jobs/${id}/results?limit=${limit}&web_presence=${tiers}`)).json()),
    csv: (id) => call(`/jobs/${id}/download`),
  }
}
