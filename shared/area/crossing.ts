import { type Corner, type Edge, eastward, ON_EDGE, type Ring, sideOf } from './ring.ts'

/** Where an outline crosses itself: a corner of one of the edges that cross. */
type Crossing = { readonly at: Corner; readonly fault: 'crosses' | 'touches' | 'leaves' }

/**
 * Returns where the outline of a polygon crosses itself: a ring that crosses or touches itself, rings that cross one
 * another, or a hole that leaves the outer ring. Rings may touch one another, as in valid polygons of OGC Simple
 * Features. Undefined when nothing does.
 */
export function crossingOf(outer: Ring, holes: readonly Ring[]): Crossing | undefined {
  const rings = [outer, ...holes.map((hole) => besideIt(hole, outer))]
  const edges = rings.flatMap(({ edges }, ring) =>
    edges.map((edge, nth): RingEdge => ({ edge, ring, nth, count: edges.length, ...spanOf(edge) })),
  )
  edges.sort((a, b) => a.west - b.west)
  for (const [index, first] of edges.entries()) {
    for (let next = index + 1; next < edges.length; next++) {
      const second = edges[next]
      if (!second || second.west > first.east) break
      const fault = faultBetween(first, second)
      if (fault) return { at: second.edge[0], fault }
    }
  }
  const outside = holes.flatMap((hole) => hole.edges).find(([[x, y]]) => sideOf(outer, pointAt(x, y)) === 'outside')
  return outside && { at: outside[0], fault: 'leaves' }
}

type RingEdge = { edge: Edge; ring: number; nth: number; count: number; west: number; east: number }

const spanOf = ([[x1], [x2]]: Edge) => ({ west: Math.min(x1, x2), east: Math.max(x1, x2) })

const pointAt = (longitude: number, latitude: number) => ({ longitude, latitude })

/** Turns a hole around the earth to the side of its outer ring. */
function besideIt(hole: Ring, outer: Ring): Ring {
  const turn = outer.west - ON_EDGE + eastward(hole.west - outer.west + ON_EDGE) - hole.west
  if (Math.abs(turn) < 180) return hole
  const edges = hole.edges.map(
    ([[x1, y1], [x2, y2]]): Edge => [
      [x1 + turn, y1],
      [x2 + turn, y2],
    ],
  )
  return { ...hole, edges, west: hole.west + turn, east: hole.east + turn }
}

function faultBetween(one: RingEdge, other: RingEdge): Crossing['fault'] | undefined {
  const [[a, b], [c, d]] = [one.edge, other.edge]
  if (Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.min(a[1], b[1]) > Math.max(c[1], d[1])) return undefined
  const isSameRing = one.ring === other.ring
  if (isSameRing && (one.nth + 1) % one.count === other.nth) return foldsBack(a, b, d)
  if (isSameRing && (other.nth + 1) % one.count === one.nth) return foldsBack(c, d, b)
  const [toC, toD, toA, toB] = [turnOf(a, b, c), turnOf(a, b, d), turnOf(c, d, a), turnOf(c, d, b)]
  if (toC * toD < 0 && toA * toB < 0) return 'crosses'
  if (!isSameRing) return undefined
  const touches =
    (toC === 0 && isBetween(a, b, c)) ||
    (toD === 0 && isBetween(a, b, d)) ||
    (toA === 0 && isBetween(c, d, a)) ||
    (toB === 0 && isBetween(c, d, b))
  return touches ? 'touches' : undefined
}

/** Two edges that follow one another share a corner; one may not run back over the other. */
function foldsBack(a: Corner, b: Corner, c: Corner): Crossing['fault'] | undefined {
  const isBack = turnOf(a, b, c) === 0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0
  return isBack ? 'touches' : undefined
}

/** Returns -1, 0 or 1: whether the way from `a` over `b` to `c` turns right, runs straight or turns left. */
const turnOf = (a: Corner, b: Corner, c: Corner): number =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

const isBetween = (a: Corner, b: Corner, c: Corner): boolean =>
  Math.min(a[0], b[0]) <= c[0] &&
  c[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= c[1] &&
  c[1] <= Math.max(a[1], b[1])
