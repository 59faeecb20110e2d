import type { Job, Place, Placefleet } from '@placefleet/client'
import { facts } from '@placefleet/shared/commands/table'
import { progressLine, type Terminal } from './terminal.ts'

/** Follows a job to its end and shows its progress. Returns the job with its places. */
export async function watchJob(
  { jobs }: Placefleet,
  id: string,
  terminal: Terminal,
): Promise<{ job: Job; places: Place[] }> {
  const places: Place[] = []
  const line = progressLine(terminal)
  try {
    for await (const event of jobs.events(id)) {
      if (event.type === 'place') places.push(event.place)
      if (event.type === 'progress') line.show(progressOf(event))
    }
  } finally {
    line.end()
  }
  return { job: await jobs.get(id), places }
}

function progressOf({
  status,
  result_count,
  total_cost,
  progress,
}: Pick<Job, 'status' | 'result_count' | 'total_cost' | 'progress'>): string {
  const waiting = progress.waiting_reason === undefined ? '' : ` · waits: ${progress.waiting_reason}`
  const tasks = `${progress.tasks_done} of ${progress.tasks_total} tasks`
  const left = progress.eta === undefined ? 0 : Math.round((Date.parse(progress.eta) - Date.now()) / 1_000)
  const time = left > 0 ? ` · about ${duration(left)} left` : ''
  return `${status} · ${result_count} places of ${progress.discovered} found · ${tasks} · ${total_cost} credits${time}${waiting}`
}

/** Formats seconds as the two largest units, e.g. `1 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const placeColumns = ({ title, category, rating, phone, website, address }: Place) => ({
  title,
  category,
  rating: rating === 0 ? '' : rating,
  phone,
  website,
  address,
})

/** Formats a job as lines of text. */
export const jobFacts = (job: Job): string =>
  facts({
    id: job.id,
    name: job.name,
    status: job.status,
    why:
      job.failure_reason ??
      job.cancel_reason ??
      (job.limited_reason &&
        'places were cut short, and an agent cannot start the Chromium that it needs for the rest') ??
      (job.partial ? 'some tasks failed, or the job reached its limit' : undefined),
    keywords: job.data.keywords.join(', '),
    places: job.result_count,
    cost: job.total_cost,
    created: job.created_at,
    ended: job.ended_at,
  })
