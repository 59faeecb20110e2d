import { z } from 'zod'

/** How the visit of a business's website ended. */
export const WEBSITE_VISITS = ['ok', 'none', 'blocked', 'timeout', 'robots', 'unreachable'] as const
export type WebsiteVisit = (typeof WEBSITE_VISITS)[number]

const count = z.number().int().min(0)

/** Websites of a job with `include_emails`, by how their visit ended. */
export const WebsiteVisits = z
  .object({
    ok: count.describe('websites that name an address'),
    none: count.describe('websites that were read and name no address'),
    blocked: count.describe('websites that refuse to answer'),
    timeout: count.describe('websites that did not answer in time'),
    robots: count.describe('websites whose robots.txt does not let us in'),
    unreachable: count.describe('websites that cannot be read: no answer, an error, or no page'),
  })
  .meta({
    id: 'WebsiteVisits',
    description: 'How the visits of business websites ended, counted.',
    examples: [{ ok: 31, none: 9, blocked: 2, timeout: 1, robots: 1, unreachable: 4 }],
  })
export type WebsiteVisits = z.infer<typeof WebsiteVisits>

/** Counts with every outcome at zero. */
export function noWebsiteVisits(): WebsiteVisits {
  return { ok: 0, none: 0, blocked: 0, timeout: 0, robots: 0, unreachable: 0 }
}
