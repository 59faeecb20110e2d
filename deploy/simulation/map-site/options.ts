import { z } from 'zod'
import { DEFAULT_NOW } from './clock.ts'
import { VINTAGES } from './view.ts'

const milliseconds = z.number().int().min(0).max(600_000)

/** A latency as command lines have it: "50-300". */
export const LatencyRange = z
  .string()
  .regex(/^\d+-\d+$/)
  .transform((text) => {
    const [min = 0, max = 0] = text.split('-').map(Number)
    return { min, max }
  })

/** What the simulated site can be told, at its start and at run time (`POST /__sim/options`). */
export const SiteOptions = z.strictObject({
  /** Generation of pages and payloads. */
  vintage: z.enum(VINTAGES).default('2026'),
  /** Every page and payload waits this long; evenly spread between the two. */
  latencyMs: z.object({ min: milliseconds, max: milliseconds }).default({ min: 0, max: 0 }),
  /** Share of pages and payloads that fail: 500, connection reset, cut short, or garbage. */
  failureRate: z.number().min(0).max(1).default(0),
  /** Share of pages and payloads that come in another language than asked for. */
  foreignRate: z.number().min(0).max(1).default(0),
  /** Whether payloads are kept from clients that are no browser. */
  blockPlainHttp: z.union([z.literal(false), z.enum(['until-browser-cookie', 'always'])]).default(false),
  /**
   * At most so many pages and payloads an address and window; then it is turned away for `blockMs`. With `addresses`
   * only these are counted.
   */
  rateLimit: z
    .object({
      requests: z.number().int().min(1),
      windowMs: milliseconds,
      blockMs: milliseconds,
      addresses: z.array(z.string()).optional(),
    })
    .nullable()
    .default(null),
  /** Clients without the SOCS cookie are sent to the consent page. */
  consent: z.boolean().default(false),
  /** Limited view: banner on search pages, no counts, trimmed payloads, at most 5 reviews. */
  limited: z.boolean().default(false),
  /** Payloads are trimmed even for clients with the NID cookie. */
  trimmed: z.boolean().default(false),
  /** `shut`: listugcposts answers with nulls only. */
  reviewList: z.enum(['open', 'shut']).default('open'),
  /** Where search payloads hold their places: `[0][1]`, or `[64]`. */
  envelope: z.enum(['rows', 'list']).default('rows'),
  /** Two sponsored places on the first page of each search, taken from those it finds. */
  ads: z.boolean().default(false),
  /** Answers are compressed for clients that can read it. */
  gzip: z.boolean().default(true),
  /** The moment the site believes it is; fixed, so that every answer can be foretold. */
  now: z.iso.datetime().default(DEFAULT_NOW),
})
export type SiteOptions = z.infer<typeof SiteOptions>

/** A change of some options. */
export const OptionChange = z.strictObject(
  Object.fromEntries(Object.entries(SiteOptions.shape).map(([name, schema]) => [name, schema.unwrap().optional()])),
)

/** All options, defaults filled in. @throws ZodError */
export const fullOptions = (given: Partial<SiteOptions> = {}): SiteOptions => SiteOptions.parse(given)

/** The options with a change applied. @throws ZodError */
export function changedOptions(current: SiteOptions, change: unknown): SiteOptions {
  return SiteOptions.parse({ ...current, ...OptionChange.parse(change) })
}
