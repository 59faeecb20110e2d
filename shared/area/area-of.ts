import type { Area, AreaFields } from './area.ts'
import { circleArea } from './circle.ts'
import { boxArea, polygonArea } from './polygon.ts'

/** Returns the area of a job, or undefined when it is unlimited: without a shape and a radius. */
export function areaOf({ latitude, longitude, radius, area, bbox }: AreaFields): Area | undefined {
  if (area) return polygonArea(area)
  if (bbox) return boxArea(bbox)
  if (radius === 0 || latitude === undefined || longitude === undefined) return undefined
  return circleArea({ latitude, longitude, radius })
}
