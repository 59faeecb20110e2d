import type { Geometry } from '@placefleet/shared/area/geometry'
import fc from 'fast-check'

export type Points = (readonly [longitude: number, latitude: number])[]

export const closed = (corners: Points): number[][] => [...corners, ...corners.slice(0, 1)].map((corner) => [...corner])

export const polygon = (outline: Points, ...holes: Points[]): Geometry => ({
  type: 'Polygon',
  coordinates: [outline, ...holes].map(closed),
})

/** Reads corners as WKT writes them: `13 52, 14 52, 13 53`. */
export const points = (text: string): Points =>
  text.split(', ').map((corner) => {
    const [longitude = Number.NaN, latitude = Number.NaN] = corner.split(' ').map(Number)
    return [longitude, latitude] as const
  })

export const square = (west: number, south: number, side: number): Points => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
]

/** A star-shaped ring around a centre: its corners have rising directions, so it never crosses itself. */
export type Star = { longitude: number; latitude: number; reaches: number[] }

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Stars anywhere on the map, over the date line and near the poles too. */
export const stars: fc.Arbitrary<Star> = fc
  .record({
    longitude: degrees(-180, 180),
    latitude: fc.oneof(degrees(-80, 80), degrees(85, 89), degrees(-89, -85)),
    size: fc.oneof(degrees(0.001, 0.1), degrees(0.1, 5)),
    shares: fc.array(degrees(0.2, 1), { minLength: 3, maxLength: 40 }),
  })
  .map(({ longitude, latitude, size, shares }) => {
    const most = Math.min(size, 89.9 - Math.abs(latitude))
    return { longitude, latitude, reaches: shares.map((share) => share * most) }
  })

const directionOf = ({ reaches }: Star, nth: number) => (2 * Math.PI * nth) / reaches.length

/** Returns the corners of a star, each this share of the way from its centre. */
export const cornersOf = (star: Star, share = 1): Points =>
  star.reaches.map((reach, nth) => [
    star.longitude + share * reach * Math.cos(directionOf(star, nth)),
    star.latitude + share * reach * Math.sin(directionOf(star, nth)),
  ])

/** Returns the point of a star in its sector `nth`, `along` the edge there and `share` of the way to it. */
export function pointIn(star: Star, nth: number, along: number, share: number) {
  const corners = cornersOf(star, share)
  const [from, to] = [corners[nth % corners.length], corners[(nth + 1) % corners.length]]
  if (!from || !to) throw new Error('a star without corners')
  const [longitude, latitude] = [from[0] + along * (to[0] - from[0]), from[1] + along * (to[1] - from[1])]
  return { longitude: onTheGlobe(longitude), latitude }
}

export const onTheGlobe = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180

/** Returns a ring with all longitudes in ±180, as programs write it that know no others: it jumps at the date line. */
export const jumping = (corners: Points): Points =>
  corners.map(([longitude, latitude]) => [onTheGlobe(longitude), latitude])
