import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { NewWebhook, Webhook } from '@placefleet/coordinator/webhooks/schema'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { addAgent } from '../../../harness/agents/agent.ts'
import { scriptedCollector } from '../../../harness/agents/scripted-collector.ts'
import { addCoordinator, startWorld } from '../../../harness/coordinator/world.ts'
import type { Respond } from '../../../harness/network/receiver.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { SCAN } from '../../../harness/servers/scan.ts'
import { until } from '../../../harness/until.ts'

/** Returns a coordinator whose first user has a webhook, and its receiver. */
async function world(respond?: Respond) {
  const receiver = await testReceiver(respond)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, receiver.authority.ca])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const world = await startWorld()
  const coordinator = await addCoordinator(world, { WEBHOOK_ALLOW_HOSTS: receiver.host })
  const { client } = coordinator
  const made = await client.call('POST', '/api/v1/webhooks', { name: 'mine', url: receiver.url })
  const webhook = NewWebhook.parse(made.body)
  const events = () =>
    receiver.received.map(({ body, headers }) =>
      z.looseObject({}).parse(new Verifier(webhook.secret).verify(body, headers as Record<string, string>)),
    )
  return { world, receiver, client, webhook, events, grpc: coordinator.grpc }
}

test('the end of a job reaches its receiver at once, signed, and only once', async () => {
  const { world: parts, receiver, client, events, grpc } = await world()
  await addAgent(parts, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
  const id = await client.create({ keywords: ['one'], max_results: 5 })
  const job = await client.ended(id)
  await until('the event arrives', () => receiver.received.length > 0)
  expect(events()).toEqual([
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

test('a cancelled job fires, and a deleted one all the same', async () => {
  const { receiver, client, events } = await world()
  const cancelled = await client.create({ keywords: ['one'] })
  await client.call('POST', `/api/v1/jobs/${cancelled}/cancel`)
  const deleted = await client.create({ keywords: ['two'] })
  await client.call('DELETE', `/api/v1/jobs/${deleted}`)
  await until('both events arrive', () => receiver.received.length >= 2)
  const told = events().map(({ event_type, job_id, result_count }) => ({ event_type, job_id, result_count }))
  expect(told).toHaveLength(2)
  for (const job_id of [cancelled, deleted]) {
    expect(told).toContainEqual({ event_type: 'job.cancelled', job_id, result_count: 0 })
  }
})

test('a disabled webhook gets no deliveries until it is re-enabled', async () => {
  const { world: parts, receiver, client, webhook } = await world()
  const webhooks = parts.db.collection<{ _id: string }>('webhooks')
  const disabled = { health_state: 'disabled', consecutive_failures: 10, disabled_at: new Date() }
  await webhooks.updateOne({ _id: webhook.id }, { $set: { ...disabled, disabled_reason: 'http_5xx' } })
  const end = async () => {
    const id = await client.create({ keywords: ['one'] })
    await client.call('POST', `/api/v1/jobs/${id}/cancel`)
    const closed = { _id: id, phase: 'ended' } as const
    await until('it is closed', async () => (await jobsOf(parts.db).countDocuments(closed, SCAN)) === 1)
    return id
  }
  await end()
  expect(await parts.db.collection('webhook_deliveries').countDocuments()).toBe(0)
  await client.call('PATCH', `/api/v1/webhooks/${webhook.id}`, { reenable: true })
  const id = await end()
  await until('the event arrives', () => receiver.received.length > 0)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ job_id: id })
})
