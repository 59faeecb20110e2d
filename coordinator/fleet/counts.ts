import type { OutcomeCounts as CountsMessage, Finished, WebsiteVisits as VisitsMessage } from '@placefleet/proto/fleet'
import { LimitedReason, OUTCOMES, OutcomeCounts } from '@placefleet/shared/outcome'
import { noWebsiteVisits, WebsiteVisits } from '@placefleet/shared/website-visits'
import type { TaskEnd } from '../tasks/lease.ts'

/** The highest count of one outcome that a task accepts. Higher counts of an agent are ignored. */
const MAX_COUNT = 100_000

/** Returns the outcomes that an agent counted, or none if a count is not credible. */
export function countsOf(message: CountsMessage | undefined): Partial<OutcomeCounts> {
  const counts: Partial<OutcomeCounts> = OutcomeCounts.safeParse({ ok: 0, known: 0, ...message }).data ?? {}
  return Object.values(counts).every((count) => count <= MAX_COUNT) ? counts : {}
}

/** Returns the visits to websites that an agent counted, or none if a count is not credible. */
export function visitsOf(message: VisitsMessage | undefined): WebsiteVisits {
  const visits = WebsiteVisits.safeParse(message ?? noWebsiteVisits()).data ?? noWebsiteVisits()
  return Object.values(visits).every((count) => count <= MAX_COUNT) ? visits : noWebsiteVisits()
}

/** Returns what an agent says of a task that it finished. */
export const endOf = ({ outcomes, website_visits, limited_reason }: Finished): TaskEnd => ({
  counted: countsOf(outcomes),
  visits: visitsOf(website_visits),
  limited_reason: LimitedReason.safeParse(limited_reason).data,
})

/** Returns the counted places and pages in the form of the agent's activity. The stored places are counted elsewhere. */
export const doneIn = (counted: Partial<OutcomeCounts>) => ({
  stored: 0,
  ended: OUTCOMES.reduce((sum, outcome) => sum + (counted[outcome] ?? 0), 0),
  blocked: counted.blocked ?? 0,
  refused: 0,
})
