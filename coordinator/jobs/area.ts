import type { Area } from '@placefleet/shared/great-circle'
import type { JobData } from '@placefleet/shared/job'

/** Where a job looks, in numbers; the API has them as strings, empty for none. */
export const areaOf = ({ lat, lon, radius }: Pick<JobData, 'lat' | 'lon' | 'radius'>): Area => ({
  latitude: lat === '' ? undefined : Number(lat),
  longitude: lon === '' ? undefined : Number(lon),
  radius,
})
