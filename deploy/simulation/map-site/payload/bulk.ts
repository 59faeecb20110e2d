import type { PlaceDetails } from '../city/details.ts'
import { chance } from '../random.ts'
import { type Cell, textOf, withText } from './row.ts'

export const NODE_SIZES = ['captured', 'small'] as const
/** `captured`: nodes of places are as large as recorded ones. `small`: they have the members that clients read. */
export type NodeSize = (typeof NODE_SIZES)[number]

type Range = readonly [least: number, most: number]

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
} satisfies Record<string, Range>

const SALT = 9801
const RECORDS = 200
let pool: Cell[][] | undefined

/**
 * Returns photo records that no client reads, for the size of one part of the place's node. The same place has the same
 * records in each answer.
 */
export function bulkOf(place: PlaceDetails, part: keyof typeof SIZES): Cell[] {
  pool ??= Array.from({ length: RECORDS }, (_, nth) => withText(photoRecord(nth)))
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

/** Returns a photo with the members that a recorded one has beside its URL: place, report link, author, upload. */
function photoRecord(nth: number): Cell[] {
  const dice = chance(nth, SALT)
  const [id, picture, face, account] = [dice.token(22), dice.token(110), dice.token(40), `1${dice.between(1e9, 9e9)}`]
  const [height, width] = [dice.between(900, 4_000), dice.between(900, 4_000)]
  const address = `https://lh3.googleusercontent.com/geougc-cs/${picture}`
  const report = `//www.google.com/local/imagery/report/?cb_client=maps_sv.tactile&image_key=!1e10!2s${id}&fid=0x0:0x68fa0f477f55a7b2`
  const author: Cell = [
    ['Ada Byron'],
    `https://www.google.com/maps/contrib/${account}?hl=en`,
    `https://lh3.googleusercontent.com/a/${face}=s120-c-rp-mo-br100`,
    null,
    null,
    account,
  ]
  const sizes = ['m18', 'm22', 'm37'].map((size): Cell => [18, 360, 640, `${address}=${size}`, 1])
  const uploaded: Cell = [2, null, null, null, null, [null, null, null, [7, 3]], null, null, [2025, 4, 20, 14]]
  const nothing = Array<null>(9).fill(null)
  return [
    id,
    10,
    12,
    null,
    null,
    null,
    [address, null, [height, width]],
    null,
    [[3, 13.4, 52.5], [0, 90], [height, width], 75],
    dice.token(23),
    `0ahUKE${dice.token(34)}`,
    [report, null, null, `0ahUKE${dice.token(34)}`],
    ...nothing,
    [
      null,
      [10, id],
      [10, 3, [width, height], null, null, null, null, null, null, null, [12_240, sizes]],
      null,
      [null, [author]],
      [[[2], [[null, null, 52.5, 13.4]]]],
      uploaded,
      [report],
    ],
    1,
  ]
}
