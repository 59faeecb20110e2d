import { type JobMoney, jobMoney } from '../ledger/holds.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import { type BilledJob, type BilledTotals, creditString, jobCost } from '../prices/cost.ts'

/** A job to compare with its ledger entries and its stored places. */
export type JobToVerify = BilledJob & {
  job_id: string
  final: boolean
  ended_at?: Date | undefined
  total_cost?: number | undefined
}

/** How long the creation or the end of a job may take before a half-done step counts as a fault. */
const GRACE_MS = 60_000

/** Returns what is wrong with a job, given its ledger entries and its counted places. */
export function jobFaults(job: JobToVerify, entries: LedgerEntry[], stored: BilledTotals, now: Date): string[] {
  const money = jobMoney(entries)
  if (entries.length === 0) return ['has no hold in the ledger']
  if (!job.final) return activeFaults(job, money, isRecent(newest(entries), now))
  const ending = isRecent(job.ended_at?.getTime() ?? 0, now)
  if (ending && (!money.settled || job.total_cost === undefined)) return []
  if (!money.settled) return ['has ended, but its hold was not settled']
  return [...countFaults(job.totals, stored), ...costFaults(job, money, stored)]
}

/** Returns what is wrong with the entries of a deleted job. A settled one may be deleted; its entries stay. */
export function goneJobFaults(entries: LedgerEntry[], now: Date): string[] {
  const { settled, held } = jobMoney(entries)
  if (settled || isRecent(newest(entries), now)) return []
  return [`does not exist, but still holds ${creditString(held)}`]
}

/** Returns what is wrong among the entries of a job in any state. */
export function holdFaults(entries: LedgerEntry[]): string[] {
  const { held, settled } = jobMoney(entries)
  if (held < 0) return [`was charged ${creditString(0 - held)} more than was held`]
  return settled && held > 0 ? [`is settled, but still holds ${creditString(held)}`] : []
}

// A job is settled just before its status changes, so it is never seen as ended before it is billed.
function activeFaults(job: JobToVerify, { settled, charged }: JobMoney, recent: boolean): string[] {
  if (settled) return recent ? [] : ['is settled, but has not ended']
  return charged === 0 || charged === job.prices.job_start ? [] : [`runs, and was charged ${creditString(charged)}`]
}

const newest = (entries: LedgerEntry[]): number => Math.max(...entries.map((entry) => entry.created_at.getTime()))

const isRecent = (timeMs: number, now: Date): boolean => now.getTime() - timeMs <= GRACE_MS

function countFaults(recorded: BilledTotals, stored: BilledTotals): string[] {
  const counted = ['places', 'reviews', 'images'] as const
  return counted
    .filter((kind) => recorded[kind] !== stored[kind])
    .map((kind) => `counts ${recorded[kind]} ${kind}; ${stored[kind]} are stored`)
}

function costFaults(job: JobToVerify, { charged }: JobMoney, stored: BilledTotals): string[] {
  const cost = jobCost({ ...job, totals: stored }).total
  const wrongCharge =
    charged === cost ? [] : [`was charged ${creditString(charged)}; what is stored costs ${creditString(cost)}`]
  if (job.total_cost === cost) return wrongCharge
  const shown = job.total_cost === undefined ? 'nothing' : creditString(job.total_cost)
  return [...wrongCharge, `shows a cost of ${shown}; what is stored costs ${creditString(cost)}`]
}
