/** A position of GeoJSON: longitude, latitude, and perhaps an altitude. */
export type Position = readonly number[]

/** A corner of a ring: longitude and latitude in degrees. */
export type Corner = readonly [x: number, y: number]

/** An edge of a ring. It is straight in degrees, as in GeoJSON (RFC 7946, 3.1.1). */
export type Edge = readonly [Corner, Corner]

/**
 * A closed ring. `west` is from -180 to below 180. Longitudes are continuous, so they exceed 180 over the date line.
 */
export type Ring = {
  readonly edges: readonly Edge[]
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/**
 * An edge over more degrees means the short way, over the date line: programs that know no longitudes above 180 write
 * an area from 179° to -179° so. A shorter one is meant as written, as that of an area from -180° to 13°.
 */
const LONGEST_EDGE = 270

/** Returns a ring of GeoJSON, whose last position repeats the first. An edge from -180° to 180° is meant as written. */
export const ringOf = (positions: readonly Position[]): Ring => ringOfCorners(continuous(positions))

/** Returns a ring of corners whose longitudes are continuous. */
export function ringOfCorners(continuousCorners: readonly Corner[]): Ring {
  const corners = onOneTurn(continuousCorners)
  const edges = corners.slice(1).flatMap((corner, index): Edge[] => {
    const before = corners[index] ?? corner
    return before[0] === corner[0] && before[1] === corner[1] ? [] : [[before, corner]]
  })
  const [longitudes, latitudes] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return {
    edges,
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
  }
}

function continuous(positions: readonly Position[]): Corner[] {
  let turns = 0
  return positions.map(([longitude = 0, latitude = 0], index): Corner => {
    const step = longitude - (positions[index - 1]?.[0] ?? longitude)
    if (Math.abs(step) > LONGEST_EDGE && Math.abs(step) < 360) turns -= Math.sign(step)
    return [longitude + turns * 360, latitude]
  })
}

function onOneTurn(corners: readonly Corner[]): readonly Corner[] {
  const turns = Math.floor((Math.min(...corners.map(([x]) => x)) + 180) / 360)
  return turns === 0 ? corners : corners.map(([x, y]): Corner => [x - turns * 360, y])
}

/** Returns whether a ring ends where it began. One around a pole ends 360° away. */
export function isClosed({ edges }: Ring): boolean {
  const [first, last] = [edges[0]?.[0], edges.at(-1)?.[1]]
  return first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]
}

/**
 * A tenth of a millimetre, in degrees. A point so near counts as on the edge: few decimal fractions are exact numbers.
 */
export const ON_EDGE = 1e-9

/** Where a point lies, seen from a ring. */
export function sideOf(ring: Ring, { latitude, longitude }: { latitude: number; longitude: number }) {
  const x = ring.west - ON_EDGE + eastward(longitude - ring.west + ON_EDGE)
  if (latitude < ring.south - ON_EDGE || latitude > ring.north + ON_EDGE || x > ring.east + ON_EDGE) return 'outside'
  const [below, above] = [latitude - ON_EDGE, latitude + ON_EDGE]
  let isInside = false
  for (const { 0: begin, 1: end } of ring.edges) {
    const { 0: x1, 1: y1 } = begin // by their members: taking apart by iteration takes ten times as long
    const { 0: x2, 1: y2 } = end
    if ((y1 < below && y2 < below) || (y1 > above && y2 > above)) continue // as nearly all edges of a long ring
    if (distance(x, latitude, x1, y1, x2, y2) <= ON_EDGE) return 'edge'
    if (y1 > latitude !== y2 > latitude && x < x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside
  }
  return isInside ? 'inside' : 'outside'
}

/** Returns a difference of longitudes as degrees to the east, from 0 to below 360. */
export const eastward = (difference: number): number => ((difference % 360) + 360) % 360

/** Returns the distance in degrees of a point from an edge. */
function distance(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}
