import { z } from 'zod'
import { MOST_PLACES } from './job-limits.ts'
import { readNamedPlace } from './named-place.ts'
import { textSchema } from './text.ts'

/** What a job searches for. */
export const keywords = z
  .array(textSchema({ min: 1, max: 200 }))
  .max(5)
  .describe(
    'what to search for, 1 to 5; none beside `places`. Each keyword is a separate search. A link of a search on the map site means its words, its centre and its zoom',
  )

/** The places that a job names. */
export const places = z
  .array(
    textSchema({ min: 1, max: 4_096 }).refine((text) => readNamedPlace(text) !== undefined, {
      error: 'names no place; send a link of a place on the map site, a place id (ChIJ…), a CID or a data id (0x…:0x…)',
    }),
  )
  .min(1)
  .max(MOST_PLACES)
  .describe(
    'places to collect without a search, beside `keywords` or instead of them: links of the map site, also short ones, place ids (`ChIJ…`), CIDs and data ids (`0x…:0x…`). `GET /jobs/{id}/inputs` tells what became of each',
  )
