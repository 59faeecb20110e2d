import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Place } from '@placefleet/shared/place'
import { z } from 'zod'

/** The input of every contender: collect all places of these keywords and write them into a file. */
export const Work = z.object({
  mapsBaseUrl: z.string(),
  rung: z.enum(['http', 'browser']),
  /** Take only the data of the searches. */
  fast: z.boolean(),
  keywords: z.array(z.string()),
  /** Search a circle around the whole city in cells. */
  area: z.boolean(),
  /** The most images of a place; absent: those that its own payload contains. */
  images: z.number().optional(),
  /** The file to write, one place as JSON per line. */
  output: z.string(),
})
export type Work = z.infer<typeof Work>

export const LANGUAGE = 'en'

/**
 * Reviews and images of a place: all of its own payload, so that no contender needs another request. None where places
 * come from searches, which hold none.
 */
export const capsOf = ({ fast, images = 2 }: Work) =>
  fast ? { max_reviews: 0, max_images: 0 } : { max_reviews: 8, max_images: images }

/** Places fetched at once over plain HTTP: 4 slots of an agent with 3 places each. */
export const HTTP_CONCURRENCY = 12

/** Receives each place of a contender at once, because no contender may keep all places in memory. */
export type Output = { write(place: Partial<Place>): void; close(): Promise<number> }

/** Opens the file of a contender. `close` returns the number of written places. */
export function openOutput(path: string): Output {
  const file = createWriteStream(path)
  let places = 0
  return {
    write(place) {
      places++
      file.write(`${JSON.stringify(place)}\n`)
    },
    async close() {
      file.end()
      await once(file, 'close')
      return places
    },
  }
}
