import type { Job } from '@placefleet/shared/job'
import Table from 'cli-table3'
import type { ResultPage } from './client.ts'

const SHORTEST = 28

/** No lines between rows. */
const COMPACT = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' }

/** Formats places as a table. */
export function placesTable(results: ResultPage['results']): string {
  const table = new Table({
    head: ['Title', 'Rating (reviews)', 'Phone', 'Website', 'Email'],
    style: { head: [], border: [] },
    chars: COMPACT,
  })
  for (const place of results) {
    const rating = place.rating > 0 ? `${place.rating} (${place.review_count ?? '?'})` : 'unrated'
    table.push([cut(place.title), rating, place.phone, place.web_presence, cut(place.emails)])
  }
  const isCountHidden = results.some(({ rating, review_count }) => rating > 0 && review_count === undefined)
  return isCountHidden ? `${table}\n(?): the map site hid the number of reviews.` : table.toString()
}

/** Summarizes the places and the cost of a job in a few lines. */
export function jobSummary(job: Job, page: ResultPage): string {
  const tiers = Object.entries(page.web_presence_counts).map(([tier, count]) => `${tier} ${count}`)
  const outcomes = Object.entries(job.outcomes).filter(([, count]) => count > 0)
  return [
    `${job.result_count} places, ${job.status}. Websites: ${tiers.join(', ')}.`,
    `Outcomes: ${outcomes.map(([outcome, count]) => `${outcome} ${count}`).join(', ')}. Cost: ${job.total_cost} credits.`,
    ...(job.failure_reason === undefined ? [] : [`Failed: ${job.failure_reason}`]),
  ].join('\n')
}

const cut = (text: string): string => (text.length > SHORTEST ? `${text.slice(0, SHORTEST - 1)}…` : text)
