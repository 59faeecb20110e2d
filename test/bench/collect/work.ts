import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Place } from '@placefleet/shared/place'
import { z } from 'zod'

/** The input of every contender: collect all places of these keywords and write them into a file. */
export const Work = z.object({
  mapsBaseUrl: z.string(),
  rung: z.enum(['http', 'browser']),
  /** Take what the searches themselves hold. */
  fast: z.boolean(),
  keywords: z.array(z.string()),
  /** Search a circle around the whole city, in cells. */
  area: z.boolean(),
  /** File to write, one place as JSON a line. */
  output: z.string(),
})
export type Work = z.infer<typeof Work>

export const LANGUAGE = 'en'

/**
 * Reviews and images of a place: all that its own payload holds, so that nobody needs a further request for them; none
 * where places come from the searches, which hold none.
 */
export const capsOf = ({ fast }: Work) => (fast ? { max_reviews: 0, max_images: 0 } : { max_reviews: 8, max_images: 2 })

/** Places fetched at once over plain HTTP: an agent's 4 slots with 3 places each. */
export const HTTP_CONCURRENCY = 12

/** Where a contender hands its places over, as soon as it has them: nobody may keep them all in memory. */
export type Output = { write(place: Partial<Place>): void; close(): Promise<number> }

/** Opens the file of a contender. `close` gives how many places were written. */
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
