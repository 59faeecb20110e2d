import { type LimitedReason, noOutcomes, OUTCOMES, type OutcomeCounts } from '@placefleet/shared/outcome'
import { noWebsiteVisits, type WebsiteVisits } from '@placefleet/shared/website-visits'
import type { Collection, Db, Document, UpdateFilter } from 'mongodb'
import { batchedTogether } from '../mongo/batched.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { BY_ID, using } from '../mongo/indexes.ts'
import type { Updates } from '../mongo/locks.ts'
import { fromNow } from '../mongo/time.ts'
import { TIMINGS, type Timings } from '../timings.ts'
import { endedAttempt } from './attempts.ts'
import { type AttemptResult, type TaskDocument, type TaskFailure, tasksBy, tasksOf } from './documents.ts'
import { mayClaim, type Snooze, snoozed } from './snooze.ts'

/** Failed attempts after which a task fails. */
export const MAX_FAILURES = 3

/** The holder of a lease: an agent and its stream. An agent that reconnects moves its lease to the new stream. */
type Holder = { agent_id: string; stream: string }

/** An agent's right to run a task: the holder and the attempt. */
export type Lease = Holder & { task_id: string; attempt: number }

const CRASHED: TaskFailure = { code: 'agent_crashed', message: 'the agent stopped answering while it ran the task' }

/** The end of a task that succeeded: the outcomes and visits that its agent counted. */
export type TaskEnd = {
  counted?: Partial<OutcomeCounts>
  visits?: WebsiteVisits
  limited_reason?: LimitedReason | undefined
}

const completed = (
  { counted = {}, visits = noWebsiteVisits(), limited_reason }: TaskEnd,
  stored: Partial<OutcomeCounts> = {},
) => ({
  $set: { state: 'done' as const, website_visits: visits, ...(limited_reason && { limited_reason }) },
  $currentDate: { ended_at: true as const },
  $inc: Object.fromEntries(aboveZero(added(counted, stored))),
})

const ofAttempt = ({ task_id: _id, agent_id, attempt }: Omit<Lease, 'stream'>) =>
  ({ _id, agent_id, attempt, state: 'running' }) as const

const held = (lease: Lease) => ({ ...ofAttempt(lease), stream: lease.stream })

const literally = (fields: Record<string, string | undefined>): Document =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === undefined ? '$$REMOVE' : { $literal: value }]),
  )

const takenOver = (stream: string, lease_until: Document): Document[] => [
  { $set: { lease_until, ...literally({ stream }) } },
]

/** Hand-backs of a task without an event that spend no attempt: an agent that stops hands back what has not begun. */
const FREE_HAND_BACKS = 2

const HANDED_BACK: TaskFailure = { code: 'agent_crashed', message: 'agents handed the task back and did not begin' }

const GIVEN_BACK: Document[] = [
  { $set: { state: 'waiting', ...endedAttempt('handed_back') } },
  { $unset: ['agent_id', 'stream', 'lease_until'] },
]

/**
 * Returns the id of an enrolled agent's process in leases and results: the agent's name, then the id that the process
 * chose. The token proves the name, so no agent can act on another's tasks. Names have letters, digits, `_` and `-`.
 */
export const processId = (name: string, agent_id: string): string => `${name}/${agent_id}`

const expired = { state: 'running', $expr: { $lt: ['$lease_until', '$$NOW'] } } as const

/** Heartbeats skip the journal: losing one only shortens the lease, and the next one renews it. */
const HEARTBEAT = { writeConcern: UNJOURNALED } as const

/**
 * Creates the leases of the tasks of a database. Every change of a running task goes through here and names its
 * attempt.
 */
export function createLeases(db: Db, { leaseMs, brokenStreamMs, retryMs }: Timings = TIMINGS) {
  const tasks = tasksOf(db)
  const renewed = fromNow(leaseMs, 'millisecond')
  const shortened = fromNow(brokenStreamMs, 'millisecond')
  const retryDelay = retryDelayMs(retryMs)
  const change = async (lease: Lease, update: Document[] | UpdateFilter<TaskDocument>): Promise<boolean> =>
    (await tasks.updateOne(held(lease), update)).matchedCount === 1

  // A thousand agents send two hundred heartbeats a second. Only the stream of a lease has its id.
  const renew = batchedTogether<Lease, boolean>(async (leases) => {
    const [ids, streams] = [leases.map(({ task_id }) => task_id), leases.map(({ stream }) => stream)]
    const running = { _id: { $in: ids }, stream: { $in: streams }, state: 'running' } as const
    const update = [{ $set: { lease_until: renewed } }]
    const { matchedCount } = await tasks.updateMany(running, update, { ...HEARTBEAT, ...BY_ID })
    if (matchedCount === leases.length) return () => true
    const runningTasks = await tasks.find(running, { ...BY_ID, projection: { stream: 1 } }).toArray()
    const heldStreams = new Set(runningTasks.map(({ stream }) => stream))
    return (nth) => heldStreams.has(streams[nth])
  })

  return {
    ...grants(tasks, renewed),
    ...revocations(tasks),

    /** Renews a lease. Returns false when the lease is lost: then nothing more from this agent may be stored. */
    renew,

    /** Shortens a lease to the time that an agent needs to reconnect. */
    shorten: (lease: Lease) => change(lease, [{ $set: { lease_until: shortened } }]),

    /**
     * Returns the update that records that all events up to `sequence` are durable, with their counts and all visits of
     * the attempt, and renews the lease. It finds no document when the lease is lost.
     */
    acknowledgement(
      lease: Lease,
      sequence: number,
      counted: Partial<OutcomeCounts>,
      visits?: WebsiteVisits,
    ): Updates[number] {
      const counts = { ...plus(counted), ...(visits && { website_visits: { $literal: visits } }) }
      const update = [{ $set: { sequence, lease_until: renewed, ...counts } }]
      return { name: 'updateOne', namespace: tasks.namespace, filter: held(lease), update }
    },

    /** Ends a task that succeeded. */
    complete: (lease: Lease, end: TaskEnd) => change(lease, completed(end)),

    /**
     * Returns the update that does the same once the task's last event is durable. `stored`: the counts of that event.
     * It finds no document when the lease is lost.
     */
    completion: (lease: Lease, end: TaskEnd, stored: Partial<OutcomeCounts>): Updates[number] => ({
      name: 'updateOne',
      namespace: tasks.namespace,
      filter: held(lease),
      update: completed(end, stored),
    }),

    /** Ends a failed attempt. The task is released again after a delay, or fails when no attempts are left. */
    fail: (lease: Lease, failure: TaskFailure, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) =>
      change(lease, failedAttempt('failed', failure, retryDelay, counted, visits)),

    /** Gives back a task that the map site refuses for now. This spends no attempt. */
    snooze: (lease: Lease, snooze: Snooze, counted: Partial<OutcomeCounts>, visits = noWebsiteVisits()) =>
      change(lease, [{ $set: { ...plus(counted), website_visits: { $literal: visits } } }, ...snoozed(snooze)]),

    /** Gives back a task. Without an event this spends no attempt the first two times, and then one each time. */
    async handBack(lease: Lease): Promise<boolean> {
      const isFree = { $or: [{ sequence: { $gt: 0 } }, { handed_back: { $not: { $gte: FREE_HAND_BACKS } } }] }
      const count = { $add: [{ $ifNull: ['$handed_back', 0] }, { $cond: [{ $gt: ['$sequence', 0] }, 0, 1] }] }
      const update = [{ $set: { handed_back: count } }, ...GIVEN_BACK]
      if ((await tasks.updateOne({ ...held(lease), ...isFree }, update)).matchedCount === 1) return true
      return change(lease, failedAttempt('handed_back', HANDED_BACK, retryDelay, {}, noWebsiteVisits()))
    },

    /** Ends a task whose job has ended. */
    cancel: (lease: Lease) =>
      change(lease, [{ $set: { state: 'cancelled', ended_at: '$$NOW' } }, { $unset: 'lease_until' }]),
  }
}

/** Returns the changes that take tasks from agents. */
function revocations(tasks: Collection<TaskDocument>) {
  return {
    /** Gives back all tasks that the processes of an enrolled agent hold. This spends no attempt. */
    async giveBackOf(name: string): Promise<void> {
      const filter = { state: 'running', agent_id: new RegExp(`^${processId(name, '')}`) } as const
      await tasks.updateMany(filter, GIVEN_BACK, using(tasksBy.state_ended))
    },

    /** Takes tasks with expired leases from their agents. Returns the ids of their jobs. */
    async expire(): Promise<string[]> {
      const documents = await tasks
        .find(expired, { projection: { job_id: 1 }, ...using(tasksBy.state_ended) })
        .toArray()
      if (documents.length === 0) return []
      const lost = failedAttempt('lost', CRASHED, 0, {}, noWebsiteVisits())
      await tasks.updateMany(expired, lost, using(tasksBy.state_ended))
      return [...new Set(documents.map((task) => task.job_id))]
    },
  }
}

/** Returns the changes that give tasks to agents. */
function grants(tasks: Collection<TaskDocument>, lease_until: Document) {
  return {
    /**
     * Grants a released task to an agent under a new attempt. Returns undefined when the task is not available.
     * @param holder.proxies false: it may not have a task with proxies.
     * @param claim_id identifies the claim. An agent that lost the answer repeats the claim and gets the same attempt.
     */
    async claim(
      task_id: string,
      holder: Holder & { exit?: string | undefined; proxies?: boolean | undefined },
      claim_id?: string,
    ): Promise<TaskDocument | undefined> {
      const { proxies = true, ...held } = holder
      const granted = { state: 'running', ...literally({ ...held, claim_id }), attempt: { $add: ['$attempt', 1] } }
      const fresh = {
        started_at: '$$NOW',
        sequence: 0,
        outcomes: { $literal: noOutcomes() },
        website_visits: { $literal: noWebsiteVisits() },
      }
      const update = [{ $set: { ...granted, ...fresh, lease_until } }]
      const filter = {
        _id: task_id,
        state: 'released',
        ...(held.exit === undefined ? {} : mayClaim(held.exit, held.agent_id)),
        ...(proxies ? {} : { proxied: { $exists: false } }),
      } as const
      const task = await tasks.findOneAndUpdate(filter, update, { returnDocument: 'after' })
      if (task || claim_id === undefined) return task ?? undefined
      const same = { _id: task_id, state: 'running', agent_id: holder.agent_id, claim_id } as const
      return (
        (await tasks.findOneAndUpdate(same, takenOver(holder.stream, lease_until), { returnDocument: 'after' })) ??
        undefined
      )
    },

    /** Moves an agent's attempt to another stream. Returns undefined when the lease is lost. */
    async resume(lease: Lease): Promise<TaskDocument | undefined> {
      const update = takenOver(lease.stream, lease_until)
      return (await tasks.findOneAndUpdate(ofAttempt(lease), update, { returnDocument: 'after' })) ?? undefined
    },
  }
}

export type Leases = ReturnType<typeof createLeases>

/** The delay doubles with each failure. */
const retryDelayMs = (first: number): Document => ({ $multiply: [first, { $pow: [2, '$failures'] }] })

function failedAttempt(
  result: AttemptResult,
  failure: TaskFailure,
  delayMs: number | Document,
  counted: Partial<OutcomeCounts>,
  visits: WebsiteVisits,
): Document[] {
  const lastOne = { $gte: [{ $add: ['$failures', 1] }, MAX_FAILURES] }
  return [
    {
      $set: {
        state: { $cond: [lastOne, 'failed', 'waiting'] },
        ended_at: { $cond: [lastOne, '$$NOW', '$$REMOVE'] },
        not_before: fromNow(delayMs, 'millisecond'),
        failures: { $add: ['$failures', 1] },
        failure: { $literal: failure },
        ...endedAttempt(result, failure),
        ...plus(counted),
        website_visits: { $literal: visits },
      },
    },
    { $unset: 'lease_until' },
  ]
}

/** Adds new counts to the task's outcomes. Each named field costs the database time, so counts of zero are left out. */
const plus = (counted: Partial<OutcomeCounts>): Document =>
  Object.fromEntries(
    aboveZero(counted).map(([field, count]) => [field, { $add: [{ $ifNull: [`$${field}`, 0] }, count] }]),
  )

const added = (counted: Partial<OutcomeCounts>, more: Partial<OutcomeCounts>): Partial<OutcomeCounts> =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, (counted[outcome] ?? 0) + (more[outcome] ?? 0)]))

/** Returns the new counts above zero, each with its field of a task. */
const aboveZero = (counted: Partial<OutcomeCounts>): [field: string, count: number][] =>
  OUTCOMES.flatMap((outcome) => {
    const count = counted[outcome] ?? 0
    return count > 0 ? [[`outcomes.${outcome}`, count]] : []
  })
