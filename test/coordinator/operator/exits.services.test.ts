import { Metadata } from '@grpc/grpc-js'
import { createExitIds } from '@placefleet/coordinator/exits/documents'
import { createExitGrants } from '@placefleet/coordinator/exits/grants'
import { createExitStore } from '@placefleet/coordinator/exits/store'
import { type AgentExit, createExitOfCall } from '@placefleet/coordinator/fleet/agent-exit'
import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { exitsAdvice, exitsCheck } from '@placefleet/coordinator/operator/doctor/exits'
import { listExits } from '@placefleet/coordinator/operator/exits'
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

const hear = (exit: ReturnType<typeof ids.proxy>, agent_id: string, verdict: string, effect: AnswerEffect) =>
  grants.take(exit, {
    agent_id,
    limits: { pace: { start: 20, most: 60 }, restMs: 600_000 },
    waiting: 0,
    reports: [{ ...effect, verdict, count: 1, startedAt: 0 }],
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
  const home = callFrom('192.168.1.2')
  for (const name of ['attic', 'cellar']) await connect(name, home)
  await connect('cloud', callFrom('8.8.4.4'))
  const proxy = ids.proxy('c'.repeat(64))
  await hear(home, 'attic', 'whole', { pace: 'faster', rest: 'none' })
  await hear(home, 'attic', 'exit_refused', { pace: 'same', rest: 'blocked' })
  await hear(proxy, 'cloud', 'whole', { pace: 'faster', rest: 'none' })

  const exits = await listExits(db)
  expect(exits).toEqual([
    {
      id: home.id,
      kind: 'direct',
      name: 'private network',
      known_by: 'network',
      agents: ['attic', 'cellar'],
      rate_per_minute: 10,
      resting_until: expect.any(String),
      resting_reason: 'blocked',
      verdicts: { whole: 1, exit_refused: 1 },
      last_verdict: 'exit_refused',
    },
    {
      id: expect.any(String),
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
  expect(await ops.json('exits', 'list')).toEqual(exits)
  const { out } = await ops.run('exits', 'list')
  const [, , , line = ''] = out.split('\n')
  const cells = line.split('│').map((cell) => cell.trim())
  expect(cells).toEqual(
    expect.arrayContaining(['private network', 'attic, cellar', '10', 'blocked', '1 whole, 1 exit_refused']),
  )

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
