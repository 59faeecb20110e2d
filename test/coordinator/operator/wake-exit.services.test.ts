import { createExitIds } from '@placefleet/coordinator/exits/documents'
import { createExitGrants } from '@placefleet/coordinator/exits/grants'
import { createExitStore } from '@placefleet/coordinator/exits/store'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import { commandAgent } from '@placefleet/coordinator/operator/agents'
import { listExits, wakeExit } from '@placefleet/coordinator/operator/exits'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { opsOn } from './commands/run-ops.ts'

const database = await testDatabase()
const { db } = database
const ops = opsOn(database)
const ids = createExitIds(Buffer.alloc(32, 3))
const grants = createExitGrants({ store: createExitStore(db), log: capturedLog().log, gatherMs: 1 })

/** An agent reports that the map site refused an exit. */
const refuse = (exit: ReturnType<typeof ids.proxy>, agent_id: string = crypto.randomUUID()) =>
  grants.take(exit, {
    agent_id,
    limits: { pace: { start: 20, most: 60 }, restMs: 600_000 },
    waiting: 0,
    reports: [{ verdict: 'exit_refused', pace: 'same', rest: 'blocked', count: 1, startedAt: 0 }],
    canaryEnded: false,
  })

/** A task that waits because the map site refused an exit or an agent. */
async function waitingFor(claimant: string): Promise<string> {
  const until = new Date(Date.now() + 86_400_000)
  const job_id = crypto.randomUUID()
  await insertTasks(db, [{ job_id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  await tasksOf(db).updateOne({ job_id }, { $set: { not_before: until, refused: [{ claimant, until }] } })
  return job_id
}

const stillWaits = async (job_id: string) => (await tasksOf(db).findOne({ job_id }))?.not_before !== undefined

test('an operator ends the rest of an exit by its name, and the tasks that waited for it go on', async () => {
  const [exit, other] = [ids.direct('to be woken'), ids.direct('another one')]
  for (const one of [exit, other]) await refuse(one)
  const [its, others] = [await waitingFor(exit.id), await waitingFor(other.id)]
  const said = await ops.run('exits', 'wake', 'to be woken')
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('is not paused any more') })
  const listed = await listExits(db)
  expect(listed.find(({ id }) => id === exit.id)).not.toHaveProperty('resting_until')
  expect(listed.find(({ id }) => id === other.id)).toHaveProperty('resting_until')
  expect([await stillWaits(its), await stillWaits(others)]).toEqual([false, true])
  expect(await ops.run('exits', 'wake', exit.id), 'again').toMatchObject({ code: 0 })
  expect(await ops.run('exits', 'wake', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no such address or proxy'),
  })
})

test('the end of the rest of a proxy lets all refused tasks go on, because none says which of its proxies rested', async () => {
  const proxy = ids.proxy('c'.repeat(64))
  await refuse(proxy)
  const task = await waitingFor(ids.direct('the exit of its agent').id)
  await wakeExit(db, proxy.id)
  expect(await stillWaits(task)).toBe(false)
})

test('the rests that a revoked agent reported end, and those of others go on', async () => {
  await createIdentities(db).enrol('hostile')
  await createIdentities(db).enrol('hostile-too')
  const [lied, seen] = [ids.direct('of a hostile agent'), ids.direct('of another agent')]
  await refuse(lied, 'hostile/1')
  await refuse(seen, 'hostile-too/1')
  await commandAgent(db, 'hostile', 'revoke')
  const resting = (await listExits(db)).filter(({ resting_until }) => resting_until).map(({ id }) => id)
  expect(resting).not.toContain(lied.id)
  expect(resting).toContain(seen.id)
})
