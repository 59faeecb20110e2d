// A bare loop that posts the same bytes and headers, signed once. It shows the cost of the network and TLS.
import { randomUUID } from 'node:crypto'
import { newSigningSecret, signedHeaders } from '@placefleet/shared/webhooks/signature'
import { Agent, request } from 'undici'
import { endedJob } from '../../harness/coordinator/deliveries.ts'
import { contend } from '../contender.ts'
import { PER_RECEIVER, Work } from './work.ts'

await contend(Work, async ({ deliveries, hosts, ca, keepAlive }) => {
  const dispatcher = new Agent({ connections: PER_RECEIVER, pipelining: keepAlive ? 1 : 0, connect: { ca } })
  const { job_id, name, status, result_count, created_at, ended_at } = endedJob('nobody')
  const event = { event_type: `job.${status}`, job_id, job_name: name, status, result_count, created_at, ended_at }
  const body = Buffer.from(JSON.stringify(event))
  const headers = signedHeaders({ id: randomUUID(), body, unixSeconds: 1_700_000_000 }, [newSigningSecret()])
  let left = deliveries
  const post = async (host: string) => {
    while (left > 0) {
      left -= 1
      const own = { ...headers, 'x-webhook-id': randomUUID() }
      const answer = await request(`https://${host}/hook`, { method: 'POST', headers: own, body, dispatcher })
      await answer.body.dump()
      if (answer.statusCode !== 204) throw new Error(`answered ${answer.statusCode}`)
    }
  }
  const work = async () => {
    await Promise.all(hosts.flatMap((host) => Array.from({ length: PER_RECEIVER }, () => post(host))))
  }
  return { work, close: () => dispatcher.destroy() }
})
