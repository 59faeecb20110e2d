import { batches } from '../../mongo/in-batches.ts'
import { isAboutJob } from '../ledger/holds.ts'
import type { MongoLedgerStore } from '../ledger/store.ts'
import type { BilledTotals } from '../prices/cost.ts'
import { byReference, type Fault, repeatFaults, verifyEntries } from './verify-entries.ts'
import { goneJobFaults, holdFaults, type JobToVerify, jobFaults } from './verify-job.ts'

/** The data that the ledger is verified against. */
export type VerifyDeps = {
  store: Pick<MongoLedgerStore, 'entries' | 'entriesByReference' | 'entriesAbout' | 'users'>
  owners(): AsyncIterable<string>
  /** Returns the jobs of a user, except deleted jobs and jobs in creation. */
  jobsOf(user_id: string): AsyncIterable<JobToVerify>
  /** Returns those of these ids that are jobs of a user, except deleted jobs and jobs in creation. */
  existing(user_id: string, job_ids: string[]): Promise<Set<string>>
  /** Returns what is wrong with the stored counts of a user's jobs. */
  countFaults(user_id: string): Promise<string[]>
  /** Counts the stored places of jobs, by job. Omits jobs without places. */
  storedTotals(job_ids: string[]): Promise<ReadonlyMap<string, BilledTotals>>
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

/** Jobs that are read and compared at a time. To count the places of more could take longer than a command may. */
const JOBS = 50

const NO_PLACES: BilledTotals = { places: 0, reviews: 0, images: 0 }

async function verifyUser(deps: VerifyDeps, user_id: string) {
  const { count, faults } = await verifyEntries(deps.store.entries(user_id))
  await verifyReferences(deps, user_id, faults)
  faults.push(...(await deps.countFaults(user_id)).map((message) => ({ subject: 'list of jobs', message })))
  return { entries: count, jobs: await verifyJobs(deps, user_id, faults), faults }
}

/** Checks the entries of each job among themselves, those of jobs that do not exist, and that none is repeated. */
async function verifyReferences({ store, existing, now = NOW }: VerifyDeps, user_id: string, faults: Fault[]) {
  for await (const groups of batches(byReference(store.entriesByReference(user_id)), JOBS)) {
    faults.push(...groups.flatMap(repeatFaults))
    const ofJobs = Map.groupBy(groups.flat().filter(isAboutJob), (entry) => entry.reference_id)
    const there = await existing(user_id, [...ofJobs.keys()])
    for (const [job_id, entries] of ofJobs) {
      const gone = there.has(job_id) ? [] : goneJobFaults(entries, now())
      faults.push(...faultsOf(job_id, [...holdFaults(entries), ...gone]))
    }
  }
}

/** Checks each job against its entries and its places. Returns the number of jobs. */
async function verifyJobs({ store, jobsOf, storedTotals, now = NOW }: VerifyDeps, user_id: string, faults: Fault[]) {
  let count = 0
  for await (const jobs of batches(jobsOf(user_id), JOBS)) {
    count += jobs.length
    const ids = jobs.map(({ job_id }) => job_id)
    const entries = await store.entriesAbout(user_id, ids)
    const ofJobs = Map.groupBy(entries.filter(isAboutJob), (entry) => entry.reference_id)
    const stored = await storedTotals(jobs.flatMap(({ job_id, final }) => (final ? [job_id] : [])))
    for (const job of jobs) {
      const totals = job.final ? (stored.get(job.job_id) ?? NO_PLACES) : job.totals
      faults.push(...faultsOf(job.job_id, jobFaults(job, ofJobs.get(job.job_id) ?? [], totals, now())))
    }
  }
  return count
}

const NOW = () => new Date()

const faultsOf = (job_id: string, messages: readonly string[]): Fault[] =>
  messages.map((message) => ({ subject: `job ${job_id}`, message }))

const isSame = (one: Fault, other: Fault) => one.subject === other.subject && one.message === other.message
