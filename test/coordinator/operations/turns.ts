import { exitsOf } from '@placefleet/coordinator/exits/documents'
import { createExitIds } from '@placefleet/coordinator/exits/exit-id'
import { createExitGrants } from '@placefleet/coordinator/exits/grants'
import { createExitStore } from '@placefleet/coordinator/exits/store'
import { monotonicNow } from '@placefleet/shared/timing'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import type { Operation } from './operation.ts'

const ids = createExitIds(Buffer.alloc(32))
const LIMITS = { pace: { start: 60, most: 60 }, restMs: 60_000 }

/** Turns of one exit, asked for at two coordinators. */
export const turns: readonly Operation[] = [
  {
    name: 'exits/grants.ts take',
    when: 'of one exit by two agents, of which one was refused',
    notIn: 'crashes', // one write
    async begin(bed) {
      const exit = ids.direct(crypto.randomUUID())
      const startedAt = monotonicNow()
      const take = (seen: Db, agent_id: string, isRefused: boolean) => {
        const refusal = { verdict: 'exit_refused', pace: 'same', rest: 'blocked', count: 1, startedAt } as const
        const ask = { agent_id, limits: LIMITS, wanted: 1, canaryEnded: false }
        const grants = createExitGrants({ store: createExitStore(seen), log: bed.log, gatherMs: 10 })
        return grants.take(exit, { ...ask, reports: isRefused ? [refusal] : [] })
      }
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
