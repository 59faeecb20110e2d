import { type FailureCode, OUTCOMES, type OutcomeCounts } from '@placefleet/shared/outcome'
import { noWebsiteVisits, type WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Document } from 'mongodb'
import { fromNow } from '../mongo/time.ts'
import { STATE_INDEX, type TaskDocument } from './documents.ts'
import { mayClaim, type Snooze, snoozed } from './snooze.ts'

/** How long an agent holds a task without a sign of life. Three heartbeats fit in, so one may be lost. */
export const LEASE_SECONDS = 15

/** The rest of a lease when its stream breaks: enough to reconnect, and short for a dead agent's task to wait. */
const BROKEN_STREAM_SECONDS = 5

/** Failed attempts after which a task fails. */
export const MAX_FAILURES = 3

/** Seconds before a task that failed is released again: `first × 2^(failures − 1)`, at most `longest`. */
const RETRY_SECONDS = { first: 2, longest: 30 }

/** Who holds a lease, on which stream. An agent that reconnects takes its lease to the new stream. */
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
 * The id of an enrolled agent's process in leases and results. The id that the process chose stands below the name that
 * its token proves, so no token can act on another's tasks. Names have letters, digits, `_` and `-`.
 */
export const processId = (name: string, agent_id: string): string => `${name}/${agent_id}`

const expired = { state: 'running', $expr: { $lt: ['$lease_until', '$$NOW'] } } as const

/** Heartbeats need no journal: a lost one only shortens the lease, and the next one renews it. */
const UNJOURNALED = { writeConcern: { w: 1 } } as const

/** The leases of a task collection. Every change of a running task goes through here and names its attempt. */
export function createLeases(tasks: Collection<TaskDocument>) {
  const change = async (lease: Lease, update: Document[], options = {}): Promise<boolean> =>
    (await tasks.updateOne(held(lease), update, options)).matchedCount === 1

  return {
    ...grants(tasks),
    ...revocations(tasks),

    /** Renews a lease. False: the lease is lost, and nothing more that the agent sends may be stored. */
    renew: (lease: Lease) => change(lease, [{ $set: { lease_until: fromNow(LEASE_SECONDS, 'second') } }], UNJOURNALED),

    /** Shortens a lease to the time that an agent needs to reconnect. */
    shorten: (lease: Lease) => change(lease, [{ $set: { lease_until: fromNow(BROKEN_STREAM_SECONDS, 'second') } }]),

    /** Records that all events up to a number are durable, and their counts. Renews the lease. False: it is lost. */
    acknowledge: (lease: Lease, sequence: number, counted: Partial<OutcomeCounts>) =>
      change(lease, [{ $set: { sequence, lease_until: fromNow(LEASE_SECONDS, 'second'), outcomes: plus(counted) } }]),

    /** Ends a task that succeeded. */
    complete(lease: Lease, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) {
      const counts = { outcomes: plus(counted), website_visits: { $literal: visits } }
      return change(lease, [{ $set: { state: 'done', ended_at: '$$NOW', ...counts } }])
    },

    /** Ends a failed attempt. The task is released again after a delay, or fails once it used up its attempts. */
    fail: (lease: Lease, failure: TaskFailure, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) =>
      change(lease, failedAttempt(failure, retrySeconds, counted, visits)),

    /** Gives a task back that the map site refuses for now. This spends no attempt. */
    snooze: (lease: Lease, snooze: Snooze, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) =>
      change(lease, [{ $set: { outcomes: plus(counted), website_visits: { $literal: visits } } }, ...snoozed(snooze)]),

    /** Gives a task back untouched. This spends no attempt. */
    handBack: (lease: Lease) => change(lease, GIVEN_BACK),

    /** Ends a task whose job is over. */
    cancel: (lease: Lease) =>
      change(lease, [{ $set: { state: 'cancelled', ended_at: '$$NOW' } }, { $unset: 'lease_until' }]),
  }
}

/** How agents lose tasks without a call of their own. */
function revocations(tasks: Collection<TaskDocument>) {
  return {
    /** Gives back all tasks that the processes of an enrolled agent hold. This spends no attempt. */
    async giveBackOf(name: string): Promise<void> {
      const filter = { state: 'running', agent_id: new RegExp(`^${processId(name, '')}`) } as const
      await tasks.updateMany(filter, GIVEN_BACK, { hint: STATE_INDEX })
    },

    /** Takes the tasks whose leases are over from their agents. Gives the ids of their jobs. */
    async expire(): Promise<string[]> {
      const found = await tasks.find(expired, { projection: { job_id: 1 }, hint: STATE_INDEX }).toArray()
      if (found.length === 0) return []
      await tasks.updateMany(expired, failedAttempt(CRASHED, 0, {}, noWebsiteVisits()), { hint: STATE_INDEX })
      return [...new Set(found.map((task) => task.job_id))]
    },
  }
}

/** How agents come to hold a task. */
function grants(tasks: Collection<TaskDocument>) {
  return {
    /**
     * Grants a released task to an agent under a new attempt. Undefined: the task is not available.
     * @param claim_id names the claim. When its answer was lost and it is made again, it gets the same attempt again.
     */
    async claim(
      task_id: string,
      holder: Holder & { host?: string | undefined },
      claim_id?: string,
    ): Promise<TaskDocument | undefined> {
      const { host, ...held } = holder
      const outcomes = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]))
      const granted = { state: 'running', ...literally({ ...held, claim_id }), attempt: { $add: ['$attempt', 1] } }
      const fresh = { sequence: 0, outcomes, website_visits: { $literal: noWebsiteVisits() } }
      const update = [{ $set: { ...granted, ...fresh, lease_until: fromNow(LEASE_SECONDS, 'second') } }]
      const filter = {
        _id: task_id,
        state: 'released',
        ...(host === undefined ? {} : mayClaim(host, held.agent_id)),
      } as const
      const task = await tasks.findOneAndUpdate(filter, update, { returnDocument: 'after' })
      if (task || claim_id === undefined) return task ?? undefined
      const same = { _id: task_id, state: 'running', agent_id: holder.agent_id, claim_id } as const
      return (await tasks.findOneAndUpdate(same, takenOver(holder.stream), { returnDocument: 'after' })) ?? undefined
    },

    /** Moves an attempt that an agent holds to another stream. Undefined: the lease is lost. */
    async resume(lease: Lease): Promise<TaskDocument | undefined> {
      const update = takenOver(lease.stream)
      return (await tasks.findOneAndUpdate(ofAttempt(lease), update, { returnDocument: 'after' })) ?? undefined
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

/** The sums of the task's outcomes and new counts. */
function plus(counted: Partial<OutcomeCounts>): Document {
  return Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, { $add: [`$outcomes.${outcome}`, counted[outcome] ?? 0] }]),
  )
}
