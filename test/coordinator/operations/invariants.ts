import { jobMoney } from '@placefleet/coordinator/billing/ledger/holds'
import { type LedgerEntry, stateAfter } from '@placefleet/coordinator/billing/ledger/ledger'
import { verifyLedger } from '@placefleet/coordinator/billing/verify/verify'
import { cellsOf } from '@placefleet/coordinator/coverage/documents'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { CLOSED, IN_CREATION, statusOf } from '@placefleet/coordinator/jobs/phase'
import { jobProxiesOf } from '@placefleet/coordinator/jobs/proxies'
import { droppedPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { type MonitorDocument, monitorsOf, type RunDocument, runsOf } from '@placefleet/coordinator/monitors/documents'
import { nextDue } from '@placefleet/coordinator/monitors/store'
import { verifiedIn } from '@placefleet/coordinator/operator/commands/verification'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { referencesOf, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { isFinal } from '@placefleet/shared/job-status'
import { SCAN } from '../../harness/servers/scan.ts'
import type { Bed } from './bed.ts'

/** Returns what is wrong with the account, the jobs and the monitors of a user. It holds after every operation. */
export async function faultsOf(bed: Bed, user_id: string): Promise<string[]> {
  const [jobs, monitors, runs] = await Promise.all([
    jobsOf(bed.db).find({ user_id }).toArray(),
    monitorsOf(bed.db).find({ user_id }, SCAN).toArray(),
    runsOf(bed.db).find({ user_id }, SCAN).toArray(),
  ])
  const { entries, deviations } = await verified(bed, user_id)
  return [
    ...deviations,
    ...holdFaults(entries, jobs),
    ...jobs.flatMap(jobFaults),
    ...(await eventFaults(bed, user_id, jobs)),
    ...(await orphans(bed, user_id, jobs, entries)),
    ...monitors.flatMap((monitor) => monitorFaults(monitor, runs, jobs)),
  ]
}

/** The ledger verifies, as it would in an hour. Returns its entries, too. */
async function verified({ db, healthy }: Bed, user_id: string) {
  let entries: LedgerEntry[] = []
  const deps = {
    ...verifiedIn(db),
    store: {
      ...healthy.ledgerStore,
      async *entries(owner: string) {
        entries = []
        for await (const entry of healthy.ledgerStore.entries(owner)) entries.push(entry)
        yield* entries
      },
    },
    now: () => new Date(Date.now() + 3_600_000),
  }
  const { deviations } = await verifyLedger(deps, { user_id })
  return { entries, deviations: deviations.map(({ subject, message }) => `${subject} ${message}`) }
}

/** The account holds what the open jobs hold. */
function holdFaults(entries: LedgerEntry[], jobs: JobDocument[]): string[] {
  const { held } = stateAfter(entries.at(-1))
  const open = jobs.filter(({ status }) => !isFinal(status))
  const ofJobs = open.map(({ _id }) => jobMoney(entries.filter(({ reference_id }) => reference_id === _id)).held)
  const expected = ofJobs.reduce((sum, one) => sum + one, 0)
  return held === expected ? [] : [`${held} is held, but the open jobs hold ${expected}`]
}

/** A job with work left has a time at which a coordinator looks at it, and only an open job has a slot. */
function jobFaults({ _id, phase, end, status, due_at, slot, listed }: JobDocument): string[] {
  const isOpen = !isFinal(status)
  const hasWork = phase !== 'ended'
  return [
    ...(hasWork && due_at === undefined ? [`the job ${_id} (${phase}) is stuck: it has no due time`] : []),
    ...(isOpen === (slot !== undefined) ? [] : [`the job ${_id} (${status}) has the slot ${slot}`]),
    ...(IN_CREATION.includes(phase) ? [`the job ${_id} is left over from a creation`] : []),
    ...(status === statusOf(phase, end) ? [] : [`the job ${_id} (${phase}) is shown as ${status}`]),
    ...(listed && ['deleting', 'deleted'].includes(phase) ? [`the job ${_id} is shown although it is ${phase}`] : []),
  ]
}

/** Each webhook got one event of each closed job. */
async function eventFaults({ db }: Bed, user_id: string, jobs: JobDocument[]): Promise<string[]> {
  const closed = jobs.filter(({ phase }) => CLOSED.includes(phase)).length
  const webhooks = closed === 0 ? 0 : await webhooksOf(db).countDocuments({ user_id, event_types: 'job.completed' })
  const events = await deliveriesOf(db).countDocuments({ user_id, job_id: { $exists: true } }, SCAN)
  const expected = webhooks * closed
  return events === expected ? [] : [`${events} events of jobs, not ${expected}`]
}

/** Nothing is left of jobs that are gone, no task of an ended job is open, and no ended job has proxies. */
async function orphans({ db }: Bed, user_id: string, jobs: JobDocument[], entries: LedgerEntry[]): Promise<string[]> {
  const tasks = await tasksOf(db)
    .find({ user_id }, { projection: { job_id: 1, state: 1 } })
    .toArray()
  const ended = new Set(jobs.filter(({ phase }) => CLOSED.includes(phase)).map(({ _id }) => _id))
  const open = tasks.filter(({ job_id, state }) => ended.has(job_id) && ['waiting', 'released'].includes(state))
  const charged = entries.filter((entry) => entry.reference_type.startsWith('job_')).map((entry) => entry.reference_id)
  const met = new Set([...charged, ...tasks.map(({ job_id }) => job_id)])
  const gone = [...met].filter((job_id) => !jobs.some(({ _id }) => _id === job_id))
  const places = { tasks: tasksOf, references: referencesOf, results: resultsOf }
  const all = { ...places, cells: cellsOf, dropped: droppedPlacesOf }
  const left = await Promise.all(
    Object.entries(gone.length === 0 ? {} : all).map(async ([name, collectionOf]) => {
      const found = await collectionOf(db).findOne({ job_id: { $in: gone } })
      return found ? [`${name} of a job that is gone`] : []
    }),
  )
  const proxies = await jobProxiesOf(db).findOne({ _id: { $in: [...gone, ...ended] } })
  return [
    ...left.flat(),
    ...(proxies ? ['proxies of an ended job'] : []),
    ...(open.length === 0 ? [] : [`${open.length} open tasks of ended jobs`]),
  ]
}

/** A monitor that has a next run has a time at which a coordinator looks at it, and its active run knows its only active job. */
function monitorFaults(monitor: MonitorDocument, runs: RunDocument[], jobs: JobDocument[]): string[] {
  const { _id, paused, due_at } = monitor
  const active = jobs.filter((job) => job.monitor?.id === _id && job.listed && !isFinal(job.status))
  const own = runs.filter((run) => run.monitor_id === _id && run.active)
  const isKnown = (job: JobDocument) => own.some((run) => run.at.getTime() === job.monitor?.at.getTime())
  const isStuck = (run: RunDocument) =>
    run.due_at === undefined && (run.state === 'due' || !jobs.some((job) => job._id === run.job_id))
  return [
    ...(paused || due_at || !nextDue(monitor) ? [] : ['the monitor is silent: it has no due time']),
    ...(active.length > 1 ? [`${active.length} jobs of the monitor run`] : []),
    ...(active.every(isKnown) ? [] : ['a job runs that its monitor does not know']),
    ...(own.some(isStuck) ? ['the monitor waits for a job that is gone or was never created'] : []),
  ]
}
