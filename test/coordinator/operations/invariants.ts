import { verifyLedger } from '@placefleet/coordinator/billing/verify'
import { auditedCellsOf, cellsOf } from '@placefleet/coordinator/coverage/documents'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { jobOwners, jobsToVerify } from '@placefleet/coordinator/jobs/reports'
import { droppedPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { type MonitorDocument, monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { nextDue } from '@placefleet/coordinator/monitors/store'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { recountTotals } from '@placefleet/coordinator/results/store'
import { referencesOf, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { isFinal } from '@placefleet/shared/job-status'
import type { Bed } from './bed.ts'

/** Returns what is wrong with the account, the jobs and the monitors of a user. It holds after every operation. */
export async function faultsOf(bed: Bed, user_id: string): Promise<string[]> {
  const jobs = await jobsOf(bed.db).find({ user_id }).toArray()
  const monitors = await monitorsOf(bed.db).find({ user_id }).toArray()
  return [
    ...(await moneyFaults(bed, user_id, jobs)),
    ...jobs.flatMap(jobFaults),
    ...(await eventFaults(bed, user_id, jobs)),
    ...(await orphans(bed, user_id, jobs)),
    ...monitors.flatMap((monitor) => monitorFaults(monitor, jobs)),
  ]
}

/** The ledger verifies, as it would in an hour, and holds what the open jobs hold. */
async function moneyFaults({ db, healthy }: Bed, user_id: string, jobs: JobDocument[]): Promise<string[]> {
  const deps = {
    store: healthy.ledgerStore,
    owners: () => jobOwners(jobsOf(db)),
    jobsOf: (owner: string) => jobsToVerify(jobsOf(db), owner),
    storedTotals: (job_id: string) => recountTotals(db, job_id),
    now: () => new Date(Date.now() + 3_600_000),
  }
  const { deviations } = await verifyLedger(deps, { user_id })
  const { held } = await healthy.ledger.state(user_id)
  const open = jobs.filter(({ status }) => !isFinal(status))
  const ofJobs = await Promise.all(open.map(async ({ _id }) => (await healthy.holds.of(user_id, _id))?.held ?? 0))
  const expected = ofJobs.reduce((sum, one) => sum + one, 0)
  return [
    ...deviations.map(({ subject, message }) => `${subject} ${message}`),
    ...(held === expected ? [] : [`${held} is held, but the open jobs hold ${expected}`]),
  ]
}

/** A job with work left has a time at which a coordinator looks at it, and only an open job has a slot. */
function jobFaults({ _id, status, due_at, slot, closed_at, unpurged, listed, deleted_at }: JobDocument): string[] {
  const isOpen = !isFinal(status)
  const hasWork = isOpen || closed_at === undefined || unpurged === true
  return [
    ...(hasWork && due_at === undefined ? [`the job ${_id} (${status}) is stuck: it has no due time`] : []),
    ...(isOpen === (slot !== undefined) ? [] : [`the job ${_id} (${status}) has the slot ${slot}`]),
    ...(listed || deleted_at ? [] : [`the job ${_id} is left over from a creation`]),
  ]
}

/** Each webhook got one event of each closed job. */
async function eventFaults({ db }: Bed, user_id: string, jobs: JobDocument[]): Promise<string[]> {
  const webhooks = await webhooksOf(db).countDocuments({ user_id, event_types: 'job.completed' })
  const events = await deliveriesOf(db).countDocuments({ user_id, job_id: { $exists: true } })
  const expected = webhooks * jobs.filter(({ closed_at }) => closed_at).length
  return events === expected ? [] : [`${events} events of jobs, not ${expected}`]
}

/** Nothing is left of jobs that are gone, and no task of an ended job is open. */
async function orphans({ db, healthy }: Bed, user_id: string, jobs: JobDocument[]): Promise<string[]> {
  const ended = jobs.filter(({ closed_at }) => closed_at).map(({ _id }) => _id)
  const open = await tasksOf(db).countDocuments({ job_id: { $in: ended }, state: { $in: ['waiting', 'released'] } })
  const charged: string[] = []
  for await (const entry of healthy.ledgerStore.entries(user_id))
    if (entry.reference_type.startsWith('job_')) charged.push(entry.reference_id)
  const met = [...charged, ...(await tasksOf(db).distinct('job_id', { user_id }))]
  const gone = met.filter((job_id) => !jobs.some(({ _id }) => _id === job_id))
  const places = { tasks: tasksOf, references: referencesOf, results: resultsOf, cells: cellsOf }
  const left = await Promise.all(
    Object.entries({ ...places, audited: auditedCellsOf, dropped: droppedPlacesOf }).map(
      async ([name, collectionOf]) => {
        const found = await collectionOf(db).findOne({ job_id: { $in: gone } })
        return found ? [`${name} of a job that is gone`] : []
      },
    ),
  )
  return [...left.flat(), ...(open === 0 ? [] : [`${open} open tasks of ended jobs`])]
}

/** A monitor that has a next run has a time at which a coordinator looks at it, and knows its only active job. */
function monitorFaults(monitor: MonitorDocument, jobs: JobDocument[]): string[] {
  const { _id, paused, due_at, running, starting, continuing } = monitor
  const active = jobs.filter((job) => job.monitor?.id === _id && job.listed && !isFinal(job.status))
  const isKnown = (job: JobDocument) =>
    job._id === running?.job_id || [starting, continuing].some((run) => run?.at.getTime() === job.monitor?.at.getTime())
  return [
    ...(paused || due_at || !nextDue(monitor) ? [] : ['the monitor is silent: it has no due time']),
    ...(active.length > 1 ? [`${active.length} jobs of the monitor run`] : []),
    ...(active.every(isKnown) ? [] : ['a job runs that its monitor does not know']),
    ...(running && !jobs.some((job) => job._id === running.job_id) ? ['the monitor waits for a job that is gone'] : []),
  ]
}
