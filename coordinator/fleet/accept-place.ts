import type { JobData } from '@placefleet/shared/job'
import type { Place } from '@placefleet/shared/place'

type Order = Pick<JobData, 'include_emails' | 'max_images' | 'max_reviews'>

/** A place cut to what its job ordered, so that nobody is charged for more: a cap of 0 is none at all. */
export function capToJob(place: Place, { include_emails, max_images, max_reviews }: Order): Place {
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
