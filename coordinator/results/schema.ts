import { Image, Place, Review } from '@placefleet/shared/place'
import { WEB_PRESENCE_TIERS } from '@placefleet/shared/web-presence/tiers'
import { z } from 'zod'

const text = z.string().describe('empty when the place shows none')

/** A stored place as the API shows it (SPEC, "Result object"; DECISIONS, "Results"). */
export const Result = Place.omit({ place_key: true })
  .extend({
    id: z.int().min(1).describe('unique in the deployment, rising in order of storage'),
    user_id: z.string(),
    job_id: z.uuid(),
    category: text,
    address: text,
    website: text,
    phone: text,
    emails: z.string().describe('comma and space between them; empty when there are none'),
    web_presence: z.enum(WEB_PRESENCE_TIERS),
    review_count: z.int().min(0).optional().describe('absent when the site hides it: unknown is not zero'),
    rating: z.number().describe('0 when unrated'),
    open_hours: Place.shape.open_hours.unwrap().describe('weekdays in English; times as the site words them'),
    images: z.array(Image),
    user_reviews: z.array(Review).describe('those on the page of the place'),
    user_reviews_extended: z.array(Review).optional().describe('those paged for'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Result' })
export type Result = z.infer<typeof Result>

const count = z.int().min(0)

/** Stored places of a job by tier, whatever filter is active. */
export const WebPresenceCounts = z
  .object({ none: count, social: count, directory: count, builder: count, booking: count, has: count })
  .meta({ id: 'WebPresenceCounts' })
export type WebPresenceCounts = z.infer<typeof WebPresenceCounts>
