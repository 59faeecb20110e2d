import { isLimited, type SpendingLimits } from '../../http/authentication.ts'
import { AppError } from '../../http/errors.ts'
import { creditString, type MicroCredits, microCredits } from '../prices/cost.ts'
import {
  type AccountState,
  available,
  type Change,
  type Decide,
  type KeySpending,
  type Ledger,
  type LedgerEntry,
} from './ledger.ts'

type OfJob = { user_id: string; job_id: string }

/** The maximum cost of a job, the least that must be available, and the API key that created the job. */
export type Hold = OfJob & { max: MicroCredits; min: MicroCredits; key?: CreatingKey | undefined }

/** An API key with its limits. */
export type CreatingKey = { id: string; limits: SpendingLimits }

/** The ledger's view of a job: credits still held, credits charged so far, and whether the job is settled. */
export type JobMoney = { held: MicroCredits; charged: MicroCredits; settled: boolean }

/** Places a prepared hold. */
export type PlaceHold = () => Promise<{ held: MicroCredits }>

/** The credits of jobs: held at creation, charged at the start and at the end. Every step is safe to repeat. */
export type Holds = {
  /**
   * Decides on the hold of a new job. Writes nothing: the returned function places the hold, in one write when no other
   * entry of the user came between, and else like `reserve`.
   * @throws the errors of `reserve`.
   */
  prepare(hold: Hold): Promise<PlaceHold>
  /**
   * Holds `max`, or all that is available when that is less. The hold counts for the limits of the API key that made
   * the job.
   * @throws AppError `insufficient_credits` when less than `min` is available, `key_limit` when the hold would exceed a
   * limit of the key, `conflict` when the job was released.
   */
  reserve(hold: Hold): Promise<{ held: MicroCredits }>
  /** Charges the start of a job once, from its hold. Changes nothing after the settlement. */
  chargeStart(start: OfJob & { job_name: string; price: MicroCredits }): Promise<void>
  /**
   * Settles the hold in one entry: charges the difference between `total` and the charges so far, at most the held
   * credits, and releases the rest. Only the first settlement counts. Returns the total charge, the job's `total_cost`.
   */
  settle(end: OfJob & { job_name: string; total: MicroCredits }): Promise<{ charged: MicroCredits }>
  /** Settles at the charges so far: for a job whose creation was rolled back. */
  void(job: OfJob): Promise<void>
  /** Returns the ledger's view of a job; undefined when it never had a hold. */
  of(user_id: string, job_id: string): Promise<JobMoney | undefined>
}

/** The entry that holds credits for a job, and the one that bills the job and ends its hold. */
export const HOLD = 'job_hold'
export const SETTLEMENT = 'job_settlement'

const START = 'job_start'
const OF_JOBS = [HOLD, START, SETTLEMENT]

/** Returns whether an entry is about a job's hold or its charges. */
export const isAboutJob = (entry: LedgerEntry): boolean => OF_JOBS.includes(entry.reference_type)

export function createHolds(ledger: Ledger): Holds {
  const about = (type: string, job_id: string) => ({ reference_type: type, reference_id: job_id })
  const settle = async (job: OfJob, total: MicroCredits, description: string): Promise<JobMoney> => {
    let before: { seq: number; entries: LedgerEntry[] } | undefined
    const entry = await ledger.append(job.user_id, about(SETTLEMENT, job.job_id), ({ seq }, entries) => {
      before = { seq, entries }
      return settlement(entries, total, description)
    })
    // Another settlement may have come first, with entries of the job before it.
    return before && entry?.seq === before.seq + 1 ? jobMoney([...before.entries, entry]) : moneyOf(job)
  }
  const moneyOf = async ({ user_id, job_id }: OfJob) => jobMoney(await ledger.about(user_id, job_id))
  const limitedKey = ({ key }: Hold) => (key && isLimited(key.limits) ? key.id : undefined)
  const reserve: Holds['reserve'] = async (hold) => {
    const entry = await ledger.append(hold.user_id, about(HOLD, hold.job_id), holding(hold), limitedKey(hold))
    return { held: entry?.held_change ?? 0 }
  }
  return {
    async prepare(hold) {
      const record = await ledger.prepare(hold.user_id, about(HOLD, hold.job_id), holding(hold), limitedKey(hold))
      return async () => {
        const entry = await record()
        return entry ? { held: entry.held_change } : reserve(hold)
      }
    },
    reserve,
    async chargeStart({ user_id, job_id, job_name, price }) {
      await ledger.append(user_id, about(START, job_id), (_, entries) =>
        startCharge(jobMoney(entries), price, job_name),
      )
    },
    async settle({ total, job_name, ...job }) {
      return { charged: (await settle(job, total, `Job "${job_name}"`)).charged }
    },
    async void(job) {
      await settle(job, 0, 'Hold released')
    },
    async of(user_id, job_id) {
      const entries = await ledger.about(user_id, job_id)
      return entries.length > 0 ? jobMoney(entries) : undefined
    },
  }
}

/** Returns the decision to hold credits for a job. */
const holding =
  ({ max, min, key }: Hold): Decide =>
  (state, entries, { at, spending }) => {
    if (jobMoney(entries).settled) throw new AppError('conflict', 'The creation of the job was rolled back.')
    const change = reservation(state, max, min)
    if (!key) return change
    checkKeyLimits(key.limits, spending, change.held_change)
    return { ...change, key: { id: key.id, held_at: at } }
  }

/**
 * Checks that a job which may cost `most` keeps an API key within its limits.
 * @throws AppError `key_limit` that names the limit and what is left.
 */
export function checkKeyLimits(limits: SpendingLimits, spending: KeySpending, most: MicroCredits): void {
  for (const period of ['day', 'month'] as const) {
    const limit = limits[period]
    if (limit === undefined) continue
    const left = Math.max(0, microCredits(limit) - spending[period])
    if (most <= left) continue
    const rule = `This API key may spend ${creditString(microCredits(limit))} credits a ${period} (UTC).`
    const advice = `Lower \`max_cost\`, or raise the limit of the key with a session.`
    throw new AppError(
      'key_limit',
      `${rule} ${creditString(left)} are left, and the job may cost ${creditString(most)}. ${advice}`,
    )
  }
}

/** Sums the entries of a job. */
export function jobMoney(entries: LedgerEntry[]): JobMoney {
  const ofJob = entries.filter(isAboutJob)
  return {
    held: ofJob.reduce((sum, entry) => sum + entry.held_change, 0),
    charged: ofJob.reduce((sum, entry) => sum - entry.amount, 0),
    settled: ofJob.some((entry) => entry.reference_type === SETTLEMENT),
  }
}

function reservation(state: AccountState, max: MicroCredits, min: MicroCredits) {
  const free = available(state)
  if (free < min) {
    const message = `The job may cost ${creditString(min)} credits or more; ${creditString(free)} credits are available.`
    throw new AppError('insufficient_credits', message)
  }
  return { type: 'hold', amount: 0, held_change: Math.min(max, free), description: 'Hold for a job' } as const
}

function startCharge({ held, settled }: JobMoney, price: MicroCredits, job_name: string): Change | undefined {
  const amount = Math.min(price, held)
  return settled || amount === 0 ? undefined : charge(amount, `Start of job "${job_name}"`)
}

function settlement(entries: LedgerEntry[], total: MicroCredits, description: string): Change {
  const { held, charged } = jobMoney(entries)
  const key = entries.find((entry) => entry.reference_type === HOLD)?.key
  const rest = Math.max(0, Math.min(total - charged, held))
  const change: Change =
    rest === 0 ? { type: 'release', amount: 0, held_change: 0, description } : charge(rest, description)
  return { ...change, held_change: 0 - held, ...(key ? { key } : {}) }
}

const charge = (amount: MicroCredits, description: string): Change => ({
  type: 'consumption',
  amount: 0 - amount,
  held_change: 0 - amount,
  description,
})
