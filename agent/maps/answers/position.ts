import { numberAt } from './index-path.ts'

/** A point of the globe in degrees. */
export interface Position {
  latitude: number
  longitude: number
}

/** The point in a list `[…, …, latitude, longitude]`. Undefined when a half is missing or it is off the globe. */
export function positionAt(list: unknown): Position | undefined {
  const latitude = numberAt(list, 2)
  const longitude = numberAt(list, 3)
  if (latitude === undefined || longitude === undefined) return undefined
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
}
