import type { Image, Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'

const SPACES = /[\u202f\u2009\u00a0]/g

const plain = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(SPACES, ' ').replaceAll('\u22c5', '\u00b7')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}

const isNothing = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** The number of images that every page with images shows. The number of further images depends on the request. */
const SHOWN_IMAGES = 2

const withoutSize = ({ url, ...image }: Image): Image => ({ ...image, url: url.replace(/=[whs]\d+(-[a-z0-9]+)*$/, '') })

/**
 * Normalizes a place, so that two correct readings of it are deeply equal: plain spaces, one separator in the status,
 * no empty members (an unrated place may have rating 0 or none), and only the first image, in any size. Omits the link:
 * the newest payloads have none, so every reader builds its own from the data id. Omits the details of addresses, which
 * name servers decide.
 */
export function comparable(place: Place): Record<string, unknown> {
  const { link: _link, email_details: _details, images, ...rest } = place
  return Object.fromEntries(
    Object.entries({ ...rest, images: images?.slice(0, SHOWN_IMAGES).map(withoutSize) })
      .filter(([, value]) => !isNothing(value))
      .map(([key, value]) => [key, plain(value)]),
  )
}

const withoutForm = (url: string): string => url.replace(/=[^=]*$/, '')

/**
 * Normalizes a review in the same way, with pictures in any size. Omits when the owner replied: one of the site's lists
 * says it only in words.
 */
export const comparableReview = ({ profile_picture, images, reply, ...review }: Review): unknown =>
  plain({
    ...review,
    ...(profile_picture ? { profile_picture: withoutForm(profile_picture) } : {}),
    ...(images ? { images: images.map(withoutForm) } : {}),
    ...(reply ? { reply: reply.text } : {}),
  })
