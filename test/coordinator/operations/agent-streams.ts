import { type Granted, grantClaim } from '@placefleet/coordinator/fleet/claim'
import { ingest } from '@placefleet/coordinator/fleet/ingest'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Finished } from '@placefleet/proto/fleet'
import { PROTOCOL } from '@placefleet/shared/protocol'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { placesEvent } from '../../harness/coordinator/released-task.ts'
import type { Bed } from './bed.ts'
import type { Operation } from './operation.ts'

const CALLER = { enrolment: undefined, draining: false, protocol: PROTOCOL, exit: knownAgent().exit }

const FINISHED: Finished = { outcomes: undefined }

/** A released task, and claims of it by agents. Nothing runs in the background of them. */
async function released(bed: Bed) {
  const { user_id, job_id } = await bed.pending()
  const { _id: task_id } = (await tasksOf(bed.db).findOne({ job_id, state: 'released' })) ?? expect.fail('no task')
  const quietly = (seen: Db) => {
    const by = bed.over(seen)
    return {
      ...by,
      log: bed.log,
      engine: { ...by.engine, taskClaimed: () => undefined, placesListed: () => undefined },
    }
  }
  const claim = async (seen: Db, agent_id: string, resume_attempt?: number): Promise<Granted | undefined> => {
    const granted = await grantClaim(quietly(seen), CALLER, { task_id, agent_id, resume_attempt, claim_id: undefined })
    return 'refusal' in granted ? undefined : granted
  }
  /** Stores three places as the first event of a stream, or as its last one. Returns whether they were acknowledged. */
  const send = async (seen: Db, granted: Granted | undefined, finished?: Finished) => {
    if (!granted || granted.assignment.acknowledged_sequence > 0n) return false
    const event = { sequence: 1, content: placesEvent(1, 2, 3), finished }
    return (await ingest(quietly(seen), granted.task, event)) === 'stored'
  }
  const task = () => tasksOf(bed.db).findOne({ _id: task_id })
  const places = () => bed.db.collection('results').countDocuments({ job_id, place_key: { $exists: true } })
  return { user_id, claim, send, task, places }
}

/** Streams of agents that meet at one task. */
export const agentStreams: readonly Operation[] = [
  {
    name: 'fleet/claim.ts grantClaim',
    when: 'of one task by two agents',
    notIn: 'crashes',
    async begin(bed) {
      const { user_id, claim, task } = await released(bed)
      const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
      const granted: string[] = []
      const claimAs = async (seen: Db, agent_id: string) => {
        if (await claim(seen, agent_id)) granted.push(agent_id)
      }
      return {
        users: [user_id],
        call: (seen) => claimAs(seen, one),
        rival: (seen) => claimAs(seen, other),
        async check() {
          expect(granted).toHaveLength(1)
          expect(await task()).toMatchObject({ state: 'running', attempt: 1, agent_id: granted[0] })
        },
      }
    },
  },
  ...[
    {
      when: 'of places whose agent resends them on a second stream',
      end: undefined,
      held: { state: 'running', sequence: 1 },
    },
    {
      when: 'of the last places of a task whose agent resends them on a second stream',
      end: FINISHED,
      held: { state: 'done' },
    },
  ].map(
    ({ when, end, held }): Operation => ({
      name: 'fleet/ingest.ts ingest',
      when,
      notIn: 'crashes',
      async begin(bed) {
        const { user_id, claim, send, task, places } = await released(bed)
        const agent_id = crypto.randomUUID()
        const first = (await claim(bed.db, agent_id)) ?? expect.fail('the claim was refused')
        return {
          users: [user_id],
          call: (seen) => send(seen, first, end),
          rival: async (seen) => send(seen, await claim(seen, agent_id, first.task.held.lease.attempt), end),
          async check() {
            expect(await places()).toBe(3)
            const { stream, ...left } = (await task()) ?? expect.fail('no task')
            expect(left).toMatchObject({ ...held, attempt: 1, agent_id })
            if (!end) expect(stream, 'the second stream holds the lease').not.toBe(first.task.held.lease.stream)
          },
        }
      },
    }),
  ),
]
