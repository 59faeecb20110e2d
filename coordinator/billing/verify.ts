import type { BilledTotals } from './cost.ts'
import type { MongoLedgerStore } from './store.ts'
import { type Fault, verifyEntries } from './verify-entries.ts'
import { goneJobFaults, holdFaults, type JobToVerify, jobFaults } from './verify-job.ts'

/** The data that the ledger is verified against. */
export type VerifyDeps = {
  store: Pick<MongoLedgerStore, 'entries' | 'users'>
  /** Returns every user with jobs. */
  owners(): AsyncIterable<string>
  /** Returns the jobs of a user, except deleted jobs and jobs in creation. */
  jobsOf(user_id: string): AsyncIterable<JobToVerify>
  /** Counts the stored places of a job. */
  storedTotals(job_id: string): Promise<BilledTotals>
  now?: () => Date
}

/** A violated rule. Amounts in messages about entries are micro-credits. */
export type Deviation = Fault & { user_id: string }

/** What was verified, and the deviations. */
export type Verification = { users: number; entries: number; jobs: number; deviations: Deviation[] }

/**
 * Recomputes every balance from the entries, and every cost from the stored places, of one user or of all. It may run
 * beside the live service: every deviation is checked twice, and reported only if it persists.
 */
export async function verifyLedger(deps: VerifyDeps, { user_id }: { user_id?: string } = {}): Promise<Verification> {
  const users = user_id === undefined ? await everybody(deps) : [user_id]
  const result: Verification = { users: users.length, entries: 0, jobs: 0, deviations: [] }
  for (const user of users) {
    const { entries, jobs, faults } = await verifyUser(deps, user)
    result.entries += entries
    result.jobs += jobs
    const again = faults.length > 0 ? (await verifyUser(deps, user)).faults : []
    const lasting = faults.filter((fault) => again.some((other) => isSame(fault, other)))
    result.deviations.push(...lasting.map((fault) => ({ user_id: user, ...fault })))
  }
  return result
}

async function everybody({ store, owners }: VerifyDeps): Promise<string[]> {
  const users = new Set<string>()
  for await (const user of store.users()) users.add(user)
  for await (const user of owners()) users.add(user)
  return [...users]
}

async function verifyUser({ store, jobsOf, storedTotals, now = () => new Date() }: VerifyDeps, user_id: string) {
  const { count, faults, jobs: withMoney } = await verifyEntries(store.entries(user_id))
  const report = (job_id: string, messages: string[]) =>
    faults.push(...messages.map((message) => ({ subject: `job ${job_id}`, message })))
  for (const [job_id, entries] of withMoney) report(job_id, holdFaults(entries))
  let jobs = 0
  for await (const job of jobsOf(user_id)) {
    jobs++
    const stored = job.final ? await storedTotals(job.job_id) : job.totals
    report(job.job_id, jobFaults(job, withMoney.get(job.job_id) ?? [], stored, now()))
    withMoney.delete(job.job_id)
  }
  for (const [job_id, entries] of withMoney) report(job_id, goneJobFaults(entries, now()))
  return { entries: count, jobs, faults }
}

const isSame = (one: Fault, other: Fault) => one.subject === other.subject && one.message === other.message
