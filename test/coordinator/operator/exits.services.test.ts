import { Metadata } from '@grpc/grpc-js'
import { createExitIds } from '@placefleet/coordinator/exits/documents'
import { createExitGrants } from '@placefleet/coordinator/exits/grants'
import { createExitStore } from '@placefleet/coordinator/exits/store'
import { type AgentExit, createExitOfCall } from '@placefleet/coordinator/fleet/agent-exit'
import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import { commandAgent } from '@placefleet/coordinator/operator/agents'
import { exitsAdvice, exitsCheck } from '@placefleet/coordinator/operator/doctor/exits'
import { listExits, wakeExit } from '@placefleet/coordinator/operator/exits'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import type { AnswerEffect } from '@placefleet/shared/exits/rules'
import { EXIT_METADATA } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { opsOn } from './commands/run-ops.ts'

const database = await testDatabase()
const { db } = database
const ops = opsOn(database)
const ids = createExitIds(Buffer.alloc(32, 3))
const agents = createAgentRegistry(db)
const grants = createExitGrants({ store: createExitStore(db), log: capturedLog().log, gatherMs: 1 })
const exitOf = createExitOfCall(ids, ['10.9.0.0/16'])

const connect = (agent_id: string, exit: AgentExit) => {
  const agent = { name: agent_id, version: '1', protocol: 1, host: 'h', slots: 4, busy: 0, draining: false }
  return agents.record(agent_id, { ...agent, agent_id, resting: [], drifted: [] }, { name: undefined, exit }, 'r')
}

const FASTER: AnswerEffect = { pace: 'faster', rest: 'none' }
const BLOCKED: AnswerEffect = { pace: 'same', rest: 'blocked' }

const hear = (exit: ReturnType<typeof ids.proxy>, effect: AnswerEffect, agent_id: string = crypto.randomUUID()) =>
  grants.take(exit, {
    agent_id,
    limits: { pace: { start: 20, most: 60 }, restMs: 600_000 },
    waiting: 0,
    reports: [{ ...effect, verdict: effect === FASTER ? 'whole' : 'exit_refused', count: 1, startedAt: 0 }],
    canaryEnded: false,
  })

function callFrom(address: string, headers: Record<string, string> = {}): AgentExit {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  return exitOf(metadata, address)
}

const forwarded = (hops: string) => ({ 'x-forwarded-for': hops })

test.each<[string, Partial<AgentExit>, AgentExit]>([
  ['the address that the coordinator sees', { name: '8.8.4.4', by: 'address' }, callFrom('8.8.4.4')],
  ['the same address written as IPv6', { name: '8.8.4.4', by: 'address' }, callFrom('::ffff:8.8.4.4')],
  ['the network of an IPv6 address', { name: '2606:4700:0:1', by: 'address' }, callFrom('2606:4700:0:1::5')],
  ['one for all private addresses', { name: 'private network', by: 'network' }, callFrom('172.18.0.5')],
  ['one for this machine', { name: 'private network', by: 'network' }, callFrom('::1')],
  ['its EXIT_NAME', { name: 'attic', by: 'name' }, callFrom('8.8.4.4', { [EXIT_METADATA]: 'attic' })],
  [
    'what a trusted proxy names',
    { name: '8.8.8.8', by: 'forwarded' },
    callFrom('10.9.0.1', forwarded('1.1.1.1, 8.8.8.8')),
  ],
  [
    'what the first of two proxies names',
    { name: '1.1.1.1', by: 'forwarded' },
    callFrom('10.9.0.1', forwarded('1.1.1.1, 10.9.0.2')),
  ],
  ['not what a stranger names', { name: '8.8.4.4', by: 'address' }, callFrom('8.8.4.4', forwarded('1.1.1.1'))],
  ['not what is no address', { name: 'private network', by: 'network' }, callFrom('10.9.0.1', forwarded('unknown'))],
])('the exit of an agent is %s', (_, expected, exit) => {
  expect(exit).toMatchObject(expected)
  expect(exit.id).toBe(ids.direct(expected.name ?? '').id)
})

test('operators see who shares an exit, by what, its pace, its rest, and what the site answered', async () => {
  const [home, cloud] = [callFrom('192.168.1.2'), callFrom('8.8.4.4')]
  for (const name of ['attic', 'cellar']) await connect(name, home)
  await connect('cloud', cloud)
  const proxy = ids.proxy('c'.repeat(64))
  await hear(home, FASTER, 'attic')
  await hear(home, BLOCKED, 'attic')
  await hear(proxy, FASTER, 'cloud')

  const all = await listExits(db)
  const exits = all.filter(({ id }) => [home.id, cloud.id, proxy.id].includes(id))
  const resting_until = expect.any(String)
  const seen = { kind: 'direct', known_by: 'network', agents: ['attic', 'cellar'], rate_per_minute: 10 }
  const rest = { resting_until, resting_reason: 'blocked' }
  const refused = { verdicts: { whole: 1, exit_refused: 1 }, last_verdict: 'exit_refused' }
  expect(exits).toEqual([
    { id: home.id, name: 'private network', ...seen, ...rest, ...refused },
    {
      id: cloud.id,
      kind: 'direct',
      name: '8.8.4.4',
      known_by: 'address',
      agents: ['cloud'],
      rate_per_minute: 0,
      verdicts: {},
    },
    {
      id: proxy.id,
      kind: 'proxy',
      agents: ['cloud'],
      rate_per_minute: 20,
      verdicts: { whole: 1 },
      last_verdict: 'whole',
    },
  ])
  expect(Date.parse(exits[0]?.resting_until ?? '')).toBeGreaterThan(Date.now())
  expect(await ops.json('exits', 'list')).toEqual(all)
  const { out } = await ops.run('exits', 'list')
  expect(out).toMatch(/│ private network +│.* attic, cellar .* 10 .* blocked .* 1 whole, 1 exit_refused /)

  const check = exitsCheck(exits)
  expect(check).toMatchObject({ ok: true, warning: true })
  expect(check.detail).toContain(`private network is paused (blocked) until ${exits[0]?.resting_until}`)
  expect(check.detail).toContain('2 agents share private network, seen from private addresses: attic, cellar')
  const proxies = exits.filter(({ kind }) => kind === 'proxy').map((exit) => ({ ...exit, agents: ['attic', 'cloud'] }))
  expect(exitsCheck(proxies).detail).toBe('1 known, 0 paused') // agents always share a proxy
  expect(exitsAdvice(exits).map(({ id }) => id)).toEqual(['private_addresses_count_as_one'])
  expect(exitsAdvice(exits.slice(0, 1)).map(({ id }) => id)).toEqual([
    'own_addresses_paused',
    'private_addresses_count_as_one',
  ])
})

/** Adds a task that waits because the map site refused an exit. Returns whether it still waits. */
async function waitingFor(claimant: string): Promise<() => Promise<boolean>> {
  const until = new Date(Date.now() + 86_400_000)
  const job_id = crypto.randomUUID()
  await insertTasks(db, [{ job_id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  await tasksOf(db).updateOne({ job_id }, { $set: { not_before: until, refused: [{ claimant, until }] } })
  return async () => (await tasksOf(db).findOne({ job_id }))?.not_before !== undefined
}

const restingExits = async () => (await listExits(db)).filter(({ resting_until }) => resting_until).map(({ id }) => id)

test('an operator ends the rest of an exit by its name, and the tasks that waited for it go on', async () => {
  const [exit, other] = [ids.direct('to be woken'), ids.direct('another one')]
  for (const one of [exit, other]) await hear(one, BLOCKED)
  const [itsWaits, otherWaits] = [await waitingFor(exit.id), await waitingFor(other.id)]
  const said = await ops.run('exits', 'wake', 'to be woken')
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('is not paused any more') })
  expect(await restingExits()).toContain(other.id)
  expect(await restingExits()).not.toContain(exit.id)
  expect([await itsWaits(), await otherWaits()]).toEqual([false, true])
  expect(await ops.run('exits', 'wake', exit.id), 'again').toMatchObject({ code: 0 })
  const err = expect.stringContaining('no such address or proxy')
  expect(await ops.run('exits', 'wake', 'nobody')).toMatchObject({ code: 1, err })
})

test('the end of the rest of a proxy lets all refused tasks go on, because none says which of its proxies rested', async () => {
  const proxy = ids.proxy('d'.repeat(64))
  await hear(proxy, BLOCKED)
  const stillWaits = await waitingFor(ids.direct('the exit of its agent').id)
  await wakeExit(db, proxy.id)
  expect(await stillWaits()).toBe(false)
})

test('the rests that a revoked agent reported end, and those of others go on', async () => {
  const [lied, seen] = [ids.direct('of a hostile agent'), ids.direct('of another agent')]
  for (const name of ['hostile', 'hostile-too']) await createIdentities(db).enrol(name)
  await hear(lied, BLOCKED, 'hostile/1')
  await hear(seen, BLOCKED, 'hostile-too/1')
  await commandAgent(db, 'hostile', 'revoke')
  expect(await restingExits()).not.toContain(lied.id)
  expect(await restingExits()).toContain(seen.id)
})
