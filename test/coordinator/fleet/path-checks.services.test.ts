import { setRole } from '@placefleet/coordinator/accounts/roles'
import { createPathChecks } from '@placefleet/coordinator/fleet/path-checks'
import { listExits } from '@placefleet/coordinator/operator/exits'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import type { PathReport } from '@placefleet/shared/path-report'
import { expect, onTestFinished, test } from 'vitest'
import { ask } from '../../api/api-world.ts'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const REPORT: PathReport = {
  site: 'https://maps.example',
  checked_at: '2026-11-25T12:00:00.000Z',
  exits: [{ exit: 'own address', paths: [], causes: ['refused'] }],
  healthy: false,
  conclusion: 'The map site refuses the requests. Neither plain HTTP nor the browser works.',
}

test('one process takes a check, and only its report of the last check counts', async () => {
  const checks = createPathChecks((await testDatabase()).db)
  expect(await checks.take('exit', 'one')).toBeUndefined()
  await checks.ask('exit')
  const old = (await checks.take('exit', 'one')) ?? ''
  expect(await checks.take('exit', 'two')).toBeUndefined()
  await checks.ask('exit')
  const check_id = (await checks.take('exit', 'two')) ?? ''
  const report = JSON.stringify(REPORT)
  await checks.record('exit', 'one', { check_id: old, report })
  await checks.record('exit', 'one', { check_id, report })
  expect((await checks.list())[0]).not.toHaveProperty('report')
  await checks.record('exit', 'two', { check_id, report })
  expect(await checks.list()).toMatchObject([{ _id: 'exit', agent_id: 'two', report: REPORT }])
})

test('of processes of an exit that ask together, one takes its check, and those of other exits take none', async () => {
  const checks = createPathChecks((await testDatabase()).db)
  await checks.ask('exit')
  const first = checks.take('other', 'zero') // the next ones wait for it, together
  const asked = [checks.take('exit', 'one'), checks.take('other', 'two'), checks.take('exit', 'three')]
  const taken = await Promise.all([first, ...asked])
  expect(taken).toEqual([undefined, (await checks.list())[0]?.check_id, undefined, undefined])
})

test.each([
  ['no JSON', '{'],
  ['another form', '{"site":"x"}'],
  ['more than a report has', JSON.stringify({ ...REPORT, conclusion: 'x'.repeat(200_000) })],
])('%s instead of a report breaks the contract', async (_, report) => {
  const checks = createPathChecks((await testDatabase()).db)
  await expect(checks.record('exit', 'one', { check_id: 'x', report })).rejects.toThrow('invalid report')
})

test('an operator lets an agent check the paths to the map site through its own address', async () => {
  const site = await startMapSite({ seed: 5, places: 120, options: { localBoq: 'forbidden' } })
  onTestFinished(() => site.close())
  const world = await startWorld()
  const { url, grpc } = await addCoordinator(world)
  const operator = await addUser(world.db)
  await setRole(world.db, operator.user_id, 'operator')
  const check = (id: string) => ask(url, 'POST', `/api/v1/admin/exits/${id}/check`, { key: operator.key })
  expect((await check('nobody')).status).toBe(404)

  await addCollectingAgent(world, grpc, { MAPS_BASE_URL: site.url, COLLECT_RUNG: 'http' })
  const [exit] = await until('the agent is there', async () => {
    const exits = await listExits(world.db)
    return exits.length > 0 && exits
  })
  expect((await check(exit?.id ?? '')).status).toBe(204)
  const report = await until('the check has ended', async () => (await listExits(world.db))[0]?.check?.report, 120_000)
  expect(report).toMatchObject({ healthy: true, exits: [{ exit: 'own address' }] })
  expect(report.exits[0]?.paths.find(({ door }) => door === 'GetLocalBoqProxy')).toMatchObject({
    verdict: 'request_refused',
    status: 403,
  })

  const { code, out } = await runOpsHere(['doctor', '--exit', exit?.name ?? ''], coordinatorEnv(world))
  expect(code).toBe(0)
  expect(out).toMatch(/http +│ GetLocalBoqProxy +│ request_refused +│ 403 /)
})
