import type { Job } from '../jobs/job-queries.ts'
import { outline } from './circle.ts'

type Area = Pick<Job['data'], 'lat' | 'lon' | 'radius' | 'area'>

/** Returns the area of a job for the map: its shape or its circle. Undefined when it searched everywhere. */
export function areaOf({ lat, lon, radius, area }: Area): GeoJSON.Feature | undefined {
  if (area) return { type: 'Feature', properties: {}, geometry: area }
  if (lat === '' || lon === '' || radius === 0) return undefined
  return outline({ lat: Number(lat), lon: Number(lon), radius })
}
