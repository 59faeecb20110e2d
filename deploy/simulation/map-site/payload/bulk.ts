import { photoOf } from '../city/photos.ts'
import { detailsOf, type PlaceDetails } from '../place/details.ts'
import { photoRecord } from '../place/photos.ts'
import { chance } from '../random.ts'
import { type Cell, textOf, withText } from './row.ts'

/**
 * Characters of JSON that recorded nodes have beyond the members that clients read. Place payloads without white space:
 * 164 to 274 KB, and 97 to 166 KB by other accounts; of them 58 to 59 % are reviews and their photos at [175], and 10
 * to 40 KB other pictures at [105] and [120]. Trimmed payloads: 20 to 50 KB. Nodes of searches: 5 to 15 KB.
 */
const SIZES = {
  reviews: [60_000, 165_000],
  pictures: [20_000, 60_000],
  trimmed: [14_000, 30_000],
  search: [3_000, 10_000],
} satisfies Record<string, readonly [least: number, most: number]>

const SALT = 9801
const RECORDS = 200
let pool: Cell[][] | undefined

/**
 * Returns photo records that no client reads, for the size of one part of the place's node. The same place has the same
 * records in each answer.
 */
export function bulkOf(place: PlaceDetails, part: keyof typeof SIZES): Cell[] {
  pool ??= Array.from({ length: RECORDS }, (_, nth) =>
    withText(photoRecord(detailsOf(0, nth), photoOf(0, nth, 0), 'w1200-h900-k-no')),
  )
  const records = pool
  const dice = chance(place.index, SALT, part.length)
  const [least, most] = SIZES[part]
  const goal = dice.between(least, most)
  const cells: Cell[] = []
  let size = 0
  for (let nth = dice.between(0, RECORDS - 1); size < goal; nth++) {
    const record = records[nth % RECORDS] ?? []
    cells.push(record)
    size += textOf(record).length
  }
  return cells
}
