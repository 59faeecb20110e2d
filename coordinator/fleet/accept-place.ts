import type { Place as PlaceMessage } from '@placefleet/proto/place'
import type { Area } from '@placefleet/shared/great-circle'
import type { Logger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import { placeFromMessage } from '@placefleet/shared/place-message'
import { rejectionReason } from '@placefleet/shared/rejection-reason'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { JobDocument } from '../jobs/documents.ts'
import type { AcceptedPlace } from '../results/append.ts'
import type { Lease } from '../tasks/lease.ts'

/** The places of an event that a job takes, and how many of the others ended in which way. */
export type AcceptedPlaces = {
  accepted: AcceptedPlace[]
  rejected: { duplicate: number; broken: number; filtered: number; out_of_area: number }
}

/** Validates, filters and cuts the places that an agent sent: an agent is trusted no more than a user. */
export function acceptPlaces(log: Logger, lease: Lease, data: JobData, messages: PlaceMessage[]): AcceptedPlaces {
  const valid = messages.flatMap((message) => validPlace(log, lease, message))
  const named = [...new Map(valid.map((place) => [place.place_key, place])).values()].map((place) =>
    placeFor(data, place),
  )
  const wanted = { ...areaOf(data), website_filter: data.website_filter }
  const judged = Object.groupBy(named, ({ place, web_presence }) => {
    return rejectionReason(place, wanted, web_presence) ?? 'accepted'
  })
  const rejected = {
    duplicate: valid.length - named.length,
    broken: messages.length - valid.length,
    filtered: judged.filtered?.length ?? 0,
    out_of_area: judged.out_of_area?.length ?? 0,
  }
  return { accepted: judged.accepted ?? [], rejected }
}

function validPlace(log: Logger, lease: Lease, message: PlaceMessage): Place[] {
  try {
    return [placeFromMessage(message)]
  } catch (error) {
    log.warn({ err: error, ...lease }, 'an agent sent an invalid place; it was dropped')
    return []
  }
}

/** A place as the job stores it. A website behind a wrapper is replaced by its target (web-presence, "Procedure"). */
function placeFor(data: JobData, place: Place): AcceptedPlace {
  const { tier, unwrapped } = classifyWebsite(place.website)
  const listed = unwrapped === undefined ? place : { ...place, website: unwrapped }
  return { place_key: place.place_key, place: capToJob(listed, data), web_presence: tier }
}

type JobData = JobDocument['data']
type Caps = Pick<JobData, 'include_emails' | 'max_images' | 'max_reviews'>

/** Cuts a place to what its job asks for, so nobody is charged for more. A cap of 0 allows none. */
export function capToJob(place: Place, { include_emails, max_images, max_reviews }: Caps): Place {
  const { emails, phones, social_links, images = [], user_reviews = [], user_reviews_extended = [], ...bare } = place
  const reviews = user_reviews.slice(0, max_reviews)
  const further = user_reviews_extended.slice(0, max_reviews - reviews.length)
  return {
    ...bare,
    ...(include_emails && emails ? { emails } : {}),
    ...(include_emails && phones ? { phones } : {}),
    ...(include_emails && social_links ? { social_links } : {}),
    ...(images.length > 0 && max_images > 0 ? { images: images.slice(0, max_images) } : {}),
    ...(reviews.length > 0 ? { user_reviews: reviews } : {}),
    ...(further.length > 0 ? { user_reviews_extended: further } : {}),
  }
}

/** The area of a job in numbers. In the API they are strings, and empty means not given. */
export const areaOf = ({ lat, lon, radius }: Pick<JobData, 'lat' | 'lon' | 'radius'>): Area => ({
  latitude: lat === '' ? undefined : Number(lat),
  longitude: lon === '' ? undefined : Number(lon),
  radius,
})
