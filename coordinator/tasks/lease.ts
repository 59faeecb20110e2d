import { type FailureCode, OUTCOMES, type OutcomeCounts } from '@placefleet/shared/outcome'
import { noWebsiteVisits, type WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Document } from 'mongodb'
import { fromNow } from '../mongo/clock.ts'
import type { TaskDocument } from './documents.ts'

/** How long an agent holds a task without a sign of life. Three heartbeats fit in, so that one may be lost. */
export const LEASE_SECONDS = 15

/** What is left of a lease when its stream breaks: time to reconnect, but not to make a dead agent's task wait. */
const BROKEN_STREAM_SECONDS = 5

/** Attempts that may end badly before a task is given up. */
export const MAX_FAILURES = 3

/** Seconds before a task that failed is released again: `first × 2^(failures − 1)`, at most `longest`. */
const RETRY_SECONDS = { first: 2, longest: 30 }

/** Who holds a lease, and on which stream: an agent that reconnects takes its lease along to the new one. */
export type Holder = { agent_id: string; stream: string }

/** An agent's right to a task: who holds it, under which attempt. */
export type Lease = Holder & { task_id: string; attempt: number }

export type TaskFailure = { code: FailureCode; message: string }

const CRASHED: TaskFailure = { code: 'agent_crashed', message: 'the agent stopped answering while it ran the task' }

const ofAttempt = ({ task_id: _id, agent_id, attempt }: Omit<Lease, 'stream'>) =>
  ({ _id, agent_id, attempt, state: 'running' }) as const

const held = (lease: Lease) => ({ ...ofAttempt(lease), stream: lease.stream })

const literally = (fields: Record<string, string | undefined>): Document =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === undefined ? '$$REMOVE' : { $literal: value }]),
  )

const takenOver = (stream: string): Document[] => [
  { $set: { lease_until: fromNow(LEASE_SECONDS, 'second'), ...literally({ stream }) } },
]

const GIVEN_BACK: Document[] = [{ $set: { state: 'waiting' } }, { $unset: ['agent_id', 'stream', 'lease_until'] }]

/**
 * How the process of an enrolled agent is named in leases and results: what it calls itself counts only below the name
 * that its token proves, so that no token can act on what another holds. Names are letters, digits, `_` and `-`.
 */
export const processId = (name: string, agent_id: string): string => `${name}/${agent_id}`

const expired = { state: 'running', $expr: { $lt: ['$lease_until', '$$NOW'] } } as const

/** The leases of a task collection. Every change of a running task goes through here and names its attempt. */
export function createLeases(tasks: Collection<TaskDocument>) {
  const change = async (lease: Lease, update: Document[]): Promise<boolean> =>
    (await tasks.updateOne(held(lease), update)).matchedCount === 1

  return {
    /**
     * Grants a released task to an agent under a new attempt. Undefined: it is not to be had.
     * @param claim_id the same claim made again, since its answer was lost, is granted the same attempt again.
     */
    async claim(task_id: string, holder: Holder, claim_id?: string): Promise<TaskDocument | undefined> {
      const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]))
      const granted = { state: 'running', ...literally({ ...holder, claim_id }), attempt: { $add: ['$attempt', 1] } }
      const fresh = { sequence: 0, outcomes, website_visits: { $literal: noWebsiteVisits() } }
      const update = [{ $set: { ...granted, ...fresh, lease_until: fromNow(LEASE_SECONDS, 'second') } }]
      const filter = { _id: task_id, state: 'released' } as const
      const task = await tasks.findOneAndUpdate(filter, update, { returnDocument: 'after' })
      if (task || claim_id === undefined) return task ?? undefined
      const same = { _id: task_id, state: 'running', agent_id: holder.agent_id, claim_id } as const
      return (await tasks.findOneAndUpdate(same, takenOver(holder.stream), { returnDocument: 'after' })) ?? undefined
    },

    /** Lets an agent go on with the attempt it holds on another stream. Undefined: the lease is lost. */
    async resume(lease: Lease): Promise<TaskDocument | undefined> {
      const update = takenOver(lease.stream)
      return (await tasks.findOneAndUpdate(ofAttempt(lease), update, { returnDocument: 'after' })) ?? undefined
    },

    /** Renews a lease. False: it is lost, and nothing the agent sends may be stored any more. */
    renew: (lease: Lease) => change(lease, [{ $set: { lease_until: fromNow(LEASE_SECONDS, 'second') } }]),

    /** Leaves a lease just the time to reconnect. */
    shorten: (lease: Lease) => change(lease, [{ $set: { lease_until: fromNow(BROKEN_STREAM_SECONDS, 'second') } }]),

    /** Records that everything up to an event is durable, and what was counted in it. False: the lease is lost. */
    acknowledge: (lease: Lease, sequence: number, counted: Partial<OutcomeCounts>) =>
      change(lease, [{ $set: { sequence, lease_until: fromNow(LEASE_SECONDS, 'second'), outcomes: plus(counted) } }]),

    /** Ends a task well. */
    complete: (lease: Lease, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) =>
      change(lease, [
        {
          $set: {
            state: 'done',
            ended_at: '$$NOW',
            outcomes: plus(counted),
            website_visits: { $literal: visits },
          },
        },
      ]),

    /** Ends an attempt badly: the task is released again a little later, or given up once it had its attempts. */
    fail: (lease: Lease, failure: TaskFailure, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) =>
      change(lease, failedAttempt(failure, retrySeconds, counted, visits)),

    /** Gives a task back untouched; this spends no attempt. */
    handBack: (lease: Lease) => change(lease, GIVEN_BACK),

    /** Gives back all that the processes of an enrolled agent hold; this spends no attempt. */
    async giveBackOf(name: string): Promise<void> {
      const filter = { state: 'running', agent_id: new RegExp(`^${processId(name, '')}`) } as const
      await tasks.updateMany(filter, GIVEN_BACK)
    },

    /** Ends a task whose job is over. */
    cancel: (lease: Lease) =>
      change(lease, [{ $set: { state: 'cancelled', ended_at: '$$NOW' } }, { $unset: 'lease_until' }]),

    /** Takes the tasks of agents that gave no sign of life until their lease was over. Gives the jobs concerned. */
    async expire(): Promise<string[]> {
      const found = await tasks.find(expired, { projection: { job_id: 1 } }).toArray()
      if (found.length > 0) await tasks.updateMany(expired, failedAttempt(CRASHED, 0, {}, noWebsiteVisits()))
      return [...new Set(found.map((task) => task.job_id))]
    },
  }
}

export type Leases = ReturnType<typeof createLeases>

const retrySeconds: Document = {
  $min: [{ $multiply: [RETRY_SECONDS.first, { $pow: [2, '$failures'] }] }, RETRY_SECONDS.longest],
}

function failedAttempt(
  failure: TaskFailure,
  delay: number | Document,
  counted: Partial<OutcomeCounts>,
  visits: WebsiteVisits,
): Document[] {
  const lastOne = { $gte: [{ $add: ['$failures', 1] }, MAX_FAILURES] }
  return [
    {
      $set: {
        state: { $cond: [lastOne, 'failed', 'waiting'] },
        ended_at: { $cond: [lastOne, '$$NOW', '$$REMOVE'] },
        not_before: fromNow(delay, 'second'),
        failures: { $add: ['$failures', 1] },
        failure: { $literal: failure },
        outcomes: plus(counted),
        website_visits: { $literal: visits },
      },
    },
    { $unset: 'lease_until' },
  ]
}

/** The task's outcomes plus what was counted now. */
function plus(counted: Partial<OutcomeCounts>): Document {
  return Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { $add: [`$outcomes.${outcome}`, counted[outcome] ?? 0] }]),
  )
}
