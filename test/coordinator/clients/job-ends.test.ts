import { jobEnds } from '@placefleet/cli/webhooks/job-ends'
import { type Job, Placefleet } from '@placefleet/client'
import { expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'

const POLL_MS = 5

type Listed = Pick<Job, 'id' | 'status' | 'updated_at'>

const job = (id: string, status: Job['status'], seconds: number): Listed => ({
  id,
  status,
  updated_at: new Date(Date.UTC(2026, 2, 1, 0, 0, seconds)).toISOString(),
})

/** Returns a service whose list of jobs is the next of these at each request, and the last one from then on. */
async function serviceWith(...lists: (Listed[] | number)[]): Promise<string> {
  let asked = 0
  const { url } = await serve((_, response) => {
    const list = lists[Math.min(asked++, lists.length - 1)] ?? []
    const headers = { 'content-type': 'application/json' }
    if (list === 0) return void response.socket?.destroy()
    if (typeof list === 'number') return void response.writeHead(list, headers).end('{"message":"no"}')
    response.writeHead(200, headers).end(JSON.stringify({ jobs: list, has_more: false }))
  })
  return url
}

/** Returns the reported ids up to `last`, and the reported losses. */
async function told(url: string, last: string) {
  const [ids, lost]: [string[], unknown[]] = [[], []]
  const client = new Placefleet({ url, apiKey: 'svc_x', retry: { attempts: 1 } })
  const ends = jobEnds(client, new AbortController().signal, (error) => lost.push(error), POLL_MS)
  for await (const { id } of ends) {
    ids.push(id)
    if (id === last) break
  }
  return { ids, lost: lost.length }
}

test('each end of a job is reported once, in order, across lost connections and failures', async () => {
  const [old, running] = [job('old', 'completed', 1), job('a', 'running', 2)]
  const [a, b, c] = [job('a', 'completed', 3), job('b', 'failed', 4), job('c', 'cancelled', 5)]
  const url = await serviceWith([running, old], [running, old], 0, [b, a, old], 503, [b, a, old], [c, b, a, old])
  expect(await told(url, 'c')).toEqual({ ids: ['a', 'b', 'c'], lost: 2 })
})

test('an end that becomes visible after a later one is reported as well', async () => {
  const url = await serviceWith(
    [],
    [job('late', 'completed', 20)],
    [job('late', 'completed', 20), job('early', 'failed', 15)],
  )
  expect(await told(url, 'early')).toEqual({ ids: ['late', 'early'], lost: 0 })
})

test('a key that is refused ends it', async () => {
  const url = await serviceWith([], 401)
  await expect(told(url, 'any')).rejects.toMatchObject({ status: 401 })
})
