import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { NewWebhook, Webhook } from '@placefleet/coordinator/webhooks/schema'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addAgent } from '../../../harness/agents/agent.ts'
import { scriptedCollector } from '../../../harness/agents/scripted-collector.ts'
import { addCoordinator, startWorld } from '../../../harness/coordinator/world.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { until } from '../../../harness/until.ts'

const receiver = await testReceiver(undefined, afterAll)
const trusted = getCACertificates('default')
setDefaultCACertificates([...trusted, receiver.authority.ca])
afterAll(() => setDefaultCACertificates(trusted))
const world = await startWorld(afterAll)
const { client, grpc } = await addCoordinator(world, { WEBHOOK_ALLOW_HOSTS: receiver.host })
const made = await client.call('POST', '/api/v1/webhooks', { name: 'mine', url: receiver.url })
const { secret } = NewWebhook.parse(made.body)

/** Returns the events of these jobs that were received, once there are as many. */
async function eventsOf(...job_ids: string[]) {
  const events = () =>
    receiver.received
      .map(({ body, headers }) => new Verifier(secret).verify(body, headers as Record<string, string>))
      .map((event) => z.looseObject({ job_id: z.string() }).parse(event))
      .filter(({ job_id }) => job_ids.includes(job_id))
  await until('the events arrive', () => events().length >= job_ids.length)
  return events()
}

test('a cancelled job fires, and a deleted one all the same', async () => {
  const cancelled = await client.create({ keywords: ['one'] })
  await client.call('POST', `/api/v1/jobs/${cancelled}/cancel`)
  const deleted = await client.create({ keywords: ['two'] })
  await client.call('DELETE', `/api/v1/jobs/${deleted}`)
  const told = await eventsOf(cancelled, deleted)
  expect(told).toHaveLength(2)
  for (const job_id of [cancelled, deleted]) {
    expect(told).toContainEqual(expect.objectContaining({ event_type: 'job.cancelled', job_id, result_count: 0 }))
  }
})

test('the end of a job reaches its receiver at once, signed, and only once', async () => {
  await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
  const id = await client.create({ keywords: ['one'], max_results: 5 })
  const job = await client.ended(id)
  expect(await eventsOf(id)).toEqual([
    {
      event_type: 'job.completed',
      job_id: id,
      job_name: 'a job',
      status: 'completed',
      result_count: 5,
      created_at: job.created_at,
      ended_at: job.ended_at,
    },
  ])
  const verifiedAt = async () => {
    const [listed] = z.array(Webhook).parse((await client.call('GET', '/api/v1/webhooks')).body)
    return listed?.verified_at
  }
  await until('the webhook is verified', verifiedAt)
})
