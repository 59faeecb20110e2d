import { z } from 'zod'

/** The outcomes of a place or a page. The job counts all of them, so that a block never looks like "no results". */
export const OUTCOMES = [
  'ok',
  'empty',
  'filtered',
  'known',
  'duplicate',
  'out_of_area',
  'blocked',
  'consent',
  'limited',
  'broken',
  'timeout',
] as const

export const Outcome = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof Outcome>

const count = z.number().int().min(0)

/** The number of places and pages by outcome. */
export const OutcomeCounts = z
  .object({
    ok: count.describe('places stored'),
    empty: count.describe('searches that found nothing'),
    filtered: count.describe('places dropped by a filter'),
    known: count.describe('places dropped by `only_new`, because you have them already'),
    duplicate: count.describe('places found more than once'),
    out_of_area: count.describe('places outside `radius`'),
    blocked: count.describe('pages that the map site refused'),
    consent: count.describe('pages that showed only a consent form'),
    limited: count.describe('pages that the map site cut short, or sends in another language only'),
    broken: count.describe('pages that could not be read'),
    timeout: count.describe('pages that timed out'),
  })
  .meta({
    id: 'OutcomeCounts',
    description: 'The number of places and pages of a job by outcome.',
    examples: [{ ...noOutcomes(), ok: 48, filtered: 12, duplicate: 3 }],
  })
export type OutcomeCounts = z.infer<typeof OutcomeCounts>

/** Counts with every outcome at zero. */
export function noOutcomes(): Record<Outcome, number> {
  return {
    ok: 0,
    empty: 0,
    filtered: 0,
    known: 0,
    duplicate: 0,
    out_of_area: 0,
    blocked: 0,
    consent: 0,
    limited: 0,
    broken: 0,
    timeout: 0,
  }
}

/**
 * The failure codes of tasks and of jobs without places. `failure_reason` begins with one of them.
 */
const FAILURE_CODES = [
  'blocked',
  'proxies_failed',
  'source_unavailable',
  'layout_changed',
  'chromium_unavailable',
  'agent_crashed',
] as const

/** Why places of a job were cut short, when it was not only the map site. */
export const LimitedReason = z.enum(['chromium_unavailable'])
export type LimitedReason = z.infer<typeof LimitedReason>

export const FailureCode = z.enum(FAILURE_CODES)
export type FailureCode = z.infer<typeof FailureCode>
