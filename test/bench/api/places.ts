import type { ResultDocument } from '@placefleet/coordinator/results/documents'
import { NO_TIERS } from '@placefleet/coordinator/results/store'
import { createCity } from '@placefleet/deploy/simulation/map-site/city'
import type { Review } from '@placefleet/shared/review'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import type { Db } from 'mongodb'

const city = createCity({ seed: 7, places: 1_200 })

type StoredPlace = ResultDocument['place']

/** Documents of one insert. */
const BATCH = 1_000

/**
 * Stores places of the simulated city as the results of a job, with the given reviews and no images. Repeats places if
 * the city has too few.
 */
export async function storePlaces(
  db: Db,
  owner: { user_id: string; job_id: string },
  count: number,
  reviews?: readonly Review[],
): Promise<void> {
  const results = db.collection<ResultDocument>('results')
  const places = Array.from({ length: Math.min(count, city.size) }, (_, index) => storedPlace(index, reviews))
  const last = await results.findOne({}, { sort: { _id: -1 } })
  // The chain of the job already has its end, because the job has ended.
  await results.deleteMany({ job_id: owner.job_id })
  let tiers = NO_TIERS
  for (let from = 0; from < count; from += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => {
      const nth = from + index
      const place = places[nth % places.length] ?? { title: '' }
      const web_presence = classifyWebsite(place.website).tier
      tiers = { ...tiers, [web_presence]: tiers[web_presence] + 1 }
      return { ...owner, ...resultOf((last?._id ?? 0) + nth + 1, nth, place), web_presence, tiers }
    })
    await results.insertMany(documents)
  }
}

/** Returns the n-th result of a job, without its owner. */
export const resultOf = (_id: number, nth: number, place: StoredPlace) => ({
  _id,
  position: nth + 1,
  place_key: `0x${nth.toString(16)}:0x1`,
  place,
  totals: { places: nth + 1, reviews: 0, images: 0 },
  task_id: 'task',
  attempt: 1,
  agent_id: 'agent',
  created_at: new Date(),
})

/** Returns a place of the city as it is stored. */
export function storedPlace(index: number, reviews?: readonly Review[]): StoredPlace {
  const { place_key: _, images, user_reviews, ...place } = city.place(index)
  return reviews ? { ...place, user_reviews_extended: [...reviews] } : place
}

/** The most reviews that a place may have, with the lengths of real ones. */
export const manyReviews = (count: number): Review[] =>
  Array.from({ length: 100 }, (_, index) => city.reviews(index, 'newest'))
    .flat()
    .slice(0, count)
