import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { Job } from '@placefleet/shared/job'
import { z } from 'zod'
import { until } from '../until.ts'
import { callApi } from './call-api.ts'

/** The fields of a stored place that these tests read. */
export const StoredPlace = z.looseObject({ id: z.number(), data_id: z.string(), title: z.string() })
const ResultPage = z.object({ results: z.array(StoredPlace), total: z.number(), has_more: z.boolean() })

/** A client of the public API. */
export type Client = ReturnType<typeof createClient>

const FINAL = ['completed', 'failed', 'cancelled']

/** Creates a client of the API at a URL, with a key. */
export function createClient(url: string, key: string) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await callApi(`${url}${path}`, method, { key, body, headers })
    return { ...answer, body: answer.body ?? answer.text }
  }
  const job = async (id: string): Promise<Job> => Job.parse((await call('GET', `/api/v1/jobs/${id}`)).body)
  return {
    call,
    job,
    /** Creates a job and returns its id. */
    async create(request: Record<string, unknown>): Promise<string> {
      const answer = await call('POST', '/api/v1/jobs', { name: 'a job', language: 'en', ...request })
      if (answer.status !== 201) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
      return CreatedJob.parse(answer.body).id
    },
    ended: (id: string, withinMs?: number): Promise<Job> =>
      until(
        'the job has ended',
        async () => {
          const current = await job(id)
          return FINAL.includes(current.status) && current
        },
        withinMs,
      ),
    /** Waits at the server until the job has ended, however long that takes. */
    async finished(id: string): Promise<Job> {
      for (;;) {
        const current = Job.parse((await call('GET', `/api/v1/jobs/${id}?wait=30`)).body)
        if (FINAL.includes(current.status)) return current
      }
    },
    /** Reads all places of a job, page by page. */
    async places(id: string) {
      const places: z.infer<typeof StoredPlace>[] = []
      for (let page = 1; ; page++) {
        const answer = await call('GET', `/api/v1/jobs/${id}/results?limit=100&page=${page}`)
        const { results, has_more } = ResultPage.parse(answer.body)
        places.push(...results)
        if (!has_more) return places
      }
    },
  }
}
