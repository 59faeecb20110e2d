import { CITY, type Location } from '../city/geography.ts'
import type { PlaceDetails } from '../place/details.ts'
import { NOW } from '../view.ts'
import { type Cell, row } from './row.ts'
import { clickId, sessionId } from './tracking.ts'

/** The visible part of the map: altitude in metres, and centre. */
export type Viewport = Location & { altitude: number }

/** The size of the map in pixels. */
export const SIZE = { width: 1024, height: 768 } as const
/** The field of view of the camera. */
const FIELD = 13.1

/** The position of the map without a viewport: the site derives the town from the client's address. */
export const HOME_VIEWPORT: Viewport = { altitude: 9712.5, lat: CITY.lat, lon: CITY.lon }

export const viewportCell = ({ altitude, lat, lon }: Viewport): Cell => [
  [altitude, lon, lat],
  [0, 0, 0],
  [SIZE.width, SIZE.height],
  FIELD,
]

/** Returns a place payload: an array of 32 members with the node at 6. */
export function placeEnvelope(place: PlaceDetails, node: Cell[]): Cell[] {
  const cid: Cell = row({ 13: [[['0', place.ids.cid], place.ids.kgmid]] })
  return row(
    {
      1: [],
      4: viewportCell(HOME_VIEWPORT),
      6: node,
      12: sessionId(place.index),
      13: clickId(place.index, 71),
      25: [[[2, 'spotlit']], null, null, [cid]],
      31: [String(NOW), [[CITY.timezone, ['CET', 'Central European Time']]]],
    },
    32,
  )
}

export interface SearchAnswer {
  query: string
  viewport: Viewport
  nodes: Cell[][]
  ads: Cell[][]
  /** Nodes of similar places. They are not results. */
  similar: Cell[][]
  /** The position of the places: rows at `[0][1]`, or the list of the newer, long envelope at `[64]`. */
  envelope: 'rows' | 'list'
}

const BERLIN = '0x47a84e373f035901:0x42120465b5e3b70'

// `[2]`: sponsored places at [1][0], similar ones at [11][0].
const besideResults = (ads: Cell[][], similar: Cell[][]): Cell | undefined => {
  if (ads.length === 0 && similar.length === 0) return undefined
  return row({
    0: ads.length > 0 ? 1 : undefined,
    1: ads.length > 0 ? [ads.map((node) => row({ 4: '/aclk?sa=l', 6: 1, 15: node }, 23))] : undefined,
    11: similar.length > 0 ? [similar.map((node) => row({ 14: node }, 15))] : undefined,
  })
}

/** Returns a search payload. Without a match its list of rows is empty. */
export function searchEnvelope({ query, viewport, nodes, ads, similar, envelope }: SearchAnswer): Cell[] {
  const session = sessionId(1)
  const header = row({ 8: session, 9: clickId(0, 1), 10: [query, 0] })
  const rows = nodes.map((node, nth) => row({ 8: session, 9: clickId(nth, 2), 14: node }))
  const listed = rows.length > 0 && envelope === 'rows' ? [header, ...rows] : []
  return row(
    {
      0: [query, listed],
      1: viewportCell(viewport),
      2: besideResults(ads, similar),
      7: session,
      35: 'Q2dBd0Fn',
      37: [2, CITY.name, [[clickId(0, 3), null, BERLIN, [null, null, viewport.lat, viewport.lon], CITY.name]]],
      64: envelope === 'list' ? nodes.map((node) => [null, node]) : undefined,
    },
    67,
  )
}

/** Returns the stub that place pages embed at `[3][5]`. It parses, but it is not a payload: `[6]` is not an array. */
export function stubOf(place: PlaceDetails, viewport: Viewport): Cell[] {
  const { lat, lon } = place.location
  const identity = row({ 3: place.ids.kgmid, 4: place.ids.placeId })
  return [
    [place.ids.dataId, place.title, viewportCell(viewport), [null, null, lat, lon], ...row({ 10: [identity] })],
    [sessionId(place.index), null, null, null, null, null, 81],
    null,
    644,
  ]
}
