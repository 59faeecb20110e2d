import { z } from 'zod'

/** The input of the collector: it collects these places repeatedly, up to a number of places. */
export const SoakSpec = z.object({
  mapsBaseUrl: z.string(),
  rung: z.enum(['http', 'browser']),
  keys: z.array(z.string()),
  places: z.number(),
  sampleEvery: z.number(),
})

/** The answer of the collector: samples over time, and leftover child processes. */
export const SoakAnswer = z.object({
  samples: z.array(
    z.object({
      places: z.number(),
      megabytes: z.number(),
      heap: z.number(),
      processes: z.number(),
      zombies: z.number(),
    }),
  ),
  seconds: z.number(),
  left: z.object({ living: z.number(), zombies: z.number() }),
})
