import { createExitIds, exitsOf } from '@placefleet/coordinator/exits/documents'
import { createExitGrants } from '@placefleet/coordinator/exits/grants'
import { createExitStore } from '@placefleet/coordinator/exits/store'
import { commandAgent } from '@placefleet/coordinator/operator/agents'
import { wakeExit } from '@placefleet/coordinator/operator/exits'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { newExit } from '@placefleet/shared/exits/rules'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import type { Operation } from './operation.ts'

const ids = createExitIds(Buffer.alloc(32))
const LIMITS = { pace: { start: 60, most: 60 }, restMs: 60_000 }

/** An exit that rests because of this agent, and a task that waits for it. */
async function resting(db: Db, agent_id: string) {
  const [exit, job_id] = [ids.direct(crypto.randomUUID()), crypto.randomUUID()]
  const until = new Date(Date.now() + 3_600_000)
  await insertTasks(db, [{ job_id, user_id: 'nobody', kind: 'discover', ordinal: 0, keyword: 'one' }])
  await tasksOf(db).updateOne({ job_id }, { $set: { not_before: until, refused: [{ claimant: exit.id, until }] } })
  const rest = { reason: 'blocked', from: Date.now(), until: until.getTime() } as const
  const state = { ...newExit(LIMITS), rest, canaryDue: true }
  const now = new Date()
  const unused = { users: [], verdicts: {}, counted_since: now, used_at: now, revision: crypto.randomUUID() }
  await exitsOf(db).insertOne({ _id: exit.id, kind: 'direct', state, rested_by: agent_id, ...unused })
  return {
    exit_id: exit.id,
    async check() {
      const stored = await exitsOf(db).findOne({ _id: exit.id })
      expect(stored?.state).not.toHaveProperty('rest')
      expect(stored?.state).toMatchObject({ canaryDue: true })
      const task = await tasksOf(db).findOne({ job_id })
      expect(task).toMatchObject({ state: 'waiting', refused: [] })
      expect(task).not.toHaveProperty('not_before')
    },
  }
}

/** Turns of one exit, asked for at two coordinators, and the end of its rest. */
export const turns: readonly Operation[] = [
  {
    name: 'operator/exits.ts wakeExit',
    when: 'of an exit that a task waits for',
    async begin(bed) {
      const { exit_id, check } = await resting(bed.db, 'agent')
      return { users: [], call: (db) => wakeExit(db, exit_id), check }
    },
  },
  {
    name: 'operator/agents.ts commandAgent',
    when: 'revoke, of an agent that rested an exit',
    async begin(bed) {
      const name = `agent-${crypto.randomUUID().slice(0, 8)}`
      await bed.healthy.identities.enrol(name)
      const { check } = await resting(bed.db, `${name}/process`)
      return { users: [], call: (db) => commandAgent(db, name, 'revoke'), check }
    },
  },
  {
    name: 'exits/grants.ts take',
    when: 'of one exit by two agents, of which one was refused',
    notIn: 'crashes', // one write
    async begin(bed) {
      const exit = ids.direct(crypto.randomUUID())
      const startedAt = monotonicNow()
      const take = (seen: Db, agent_id: string, isRefused: boolean) => {
        const refusal = { verdict: 'exit_refused', pace: 'same', rest: 'blocked', count: 1, startedAt } as const
        const ask = { agent_id, limits: LIMITS, waiting: 1, canaryEnded: false }
        const grants = createExitGrants({ store: createExitStore(seen), log: bed.log, gatherMs: 10 })
        return grants.take(exit, { ...ask, reports: isRefused ? [refusal] : [] })
      }
      await take(bed.db, 'refused', false) // who had no turn cannot have been refused
      return {
        users: [],
        call: (seen) => take(seen, 'refused', true),
        rival: (seen) => take(seen, 'other', false),
        async check() {
          const stored = await exitsOf(bed.db).findOne({ _id: exit.id })
          expect(stored?.state).toMatchObject({ rest: { reason: 'blocked' }, refusals: 1, canaryDue: true })
          expect(await take(bed.db, 'third', false)).toMatchObject({ turns: [], rest: { reason: 'blocked' } })
        },
      }
    },
  },
]
