import { z } from 'zod'

/** What the collecting half of an agent is to collect, over and over: these places, until so many are done. */
export const SoakSpec = z.object({
  mapsBaseUrl: z.string(),
  rung: z.enum(['http', 'browser']),
  keys: z.array(z.string()),
  places: z.number(),
  sampleEvery: z.number(),
})

/** What it tells in the end: samples on the way, and what is left of its child processes. */
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
