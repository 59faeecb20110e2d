import { z } from 'zod'

/** The ways to request something from the map site. */
export const DOORS = [
  'front page',
  'search',
  'place',
  'GetLocalBoqProxy',
  'reviews in the page',
  'photos in the page',
] as const

/**
 * Why the paths to the map site are not all well, the most serious first. Each is an exit code of `npm run
 * doctor:maps`; 1 is an error of the program, 2 a wrong option.
 */
export const CAUSES = {
  proxy: 3,
  network: 4,
  refused: 5,
  consent: 6,
  unknown: 7,
  scripts: 8,
  fields: 9,
  limited: 10,
  empty: 11,
  chromium: 12,
  resting: 13,
} as const

export const Cause = z.enum(Object.keys(CAUSES) as (keyof typeof CAUSES)[])
export type Cause = z.infer<typeof Cause>

/** What plain HTTP, or Chromium, got of one kind of request. */
export const CheckedPath = z.object({
  rung: z.enum(['http', 'browser']).describe('plain HTTP, or Chromium'),
  door: z.enum(DOORS).describe('what was requested, or the address that lists reviews'),
  verdict: z
    .string()
    .describe(
      'what the answer means, as in `verdicts` of `GET /api/v1/admin/exits`; `not_asked`: nothing was requested',
    ),
  note: z.string().max(2_000).optional().describe('why nothing was requested, or why no answer came'),
  found: z.int().optional().describe('how many places, reviews or photos came'),
  requests: z.int().describe('how many requests it took'),
  status: z.int().optional().describe('the HTTP status of the answer that tells most; absent without an answer'),
  kind: z
    .string()
    .max(50)
    .optional()
    .describe('the kind of that answer: payload, place, consent, blocked, unmarked, …'),
  bytes: z.int().describe('the size of all answers, decompressed'),
  milliseconds: z.int().describe('how long the answers took together, without waits for the pace'),
  cookies: z.array(z.string().max(200)).max(200).describe('the names of the cookies that the answers set'),
  consent: z.boolean().describe('whether the consent form came'),
  limited: z.boolean().describe('whether the page said that it shows only a part'),
  missing: z.array(z.string().max(100)).max(200).describe('fields and parts that did not come'),
})
export type CheckedPath = z.infer<typeof CheckedPath>

/** What plain HTTP and Chromium got through one address or proxy. */
export const CheckedExit = z.object({
  exit: z.string().max(300).describe('`own address`, or host and port of a proxy'),
  address: z.string().max(100).optional().describe('its address as the site names it, which it does only in refusals'),
  paths: z.array(CheckedPath).max(100),
  causes: z
    .array(Cause)
    .max(20)
    .describe('why not all is well, the most serious first; empty when search and place are'),
})
export type CheckedExit = z.infer<typeof CheckedExit>

/**
 * The paths to the map site: what plain HTTP and Chromium got of each kind of request through each address and proxy.
 */
export const PathReport = z
  .object({
    site: z.string().max(2_000).describe('the address of the map site'),
    checked_at: z.iso.datetime(),
    chromium_problem: z.string().max(2_000).optional().describe('why Chromium does not start, and what mends it'),
    exits: z.array(CheckedExit).max(1_000),
    healthy: z
      .boolean()
      .describe(
        'whether plain HTTP and Chromium each got a whole search and a whole place through every address and proxy',
      ),
    conclusion: z.string().max(5_000),
  })
  .meta({
    id: 'PathReport',
    description: 'What each way of requesting something from the map site brought.',
    examples: [
      {
        site: 'https://www.google.com',
        checked_at: '2026-03-01T12:00:00.000Z',
        exits: [
          {
            exit: 'own address',
            paths: [
              {
                rung: 'http',
                door: 'search',
                verdict: 'whole',
                found: 20,
                requests: 1,
                status: 200,
                kind: 'payload',
                bytes: 190_986,
                milliseconds: 412,
                cookies: ['NID'],
                consent: false,
                limited: false,
                missing: [],
              },
            ],
            causes: [],
          },
        ],
        healthy: true,
        conclusion: 'Plain HTTP and browser get whole searches and places.',
      },
    ],
  })
export type PathReport = z.infer<typeof PathReport>
