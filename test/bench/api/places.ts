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

type Owner = { user_id: string; job_id: string }

/**
 * Stores places of the simulated city as the results of a job, with the given reviews and no images. Repeats places if
 * the city has too few.
 */
export async function storePlaces(db: Db, owner: Owner, count: number, reviews?: readonly Review[]): Promise<void> {
  const results = db.collection<ResultDocument>('results')
  const places = Array.from({ length: Math.min(count, city.size) }, (_, index) => storedPlace(index, reviews))
  const last = await results.findOne({}, { sort: { _id: -1 } })
  // The chain of the job already has its end, because the job has ended.
  await results.deleteMany({ job_id: owner.job_id })
  let tiers = NO_TIERS
  for (let from = 0; from < count; from += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - from) }, (_, nth) => {
      const stored = document(owner, from + nth, last?._id ?? 0, places)
      tiers = { ...tiers, [stored.web_presence]: tiers[stored.web_presence] + 1 }
      return { ...stored, tiers }
    })
    await results.insertMany(documents)
  }
}

function storedPlace(index: number, reviews: readonly Review[] | undefined): StoredPlace {
  const { place_key: _, images, user_reviews, ...place } = city.place(index)
  return reviews ? { ...place, user_reviews_extended: [...reviews] } : place
}

function document(
  owner: Owner,
  nth: number,
  lastId: number,
  places: readonly StoredPlace[],
): Omit<ResultDocument, 'tiers'> {
  const place = places[nth % places.length]
  if (!place) throw new Error('there are no places')
  return {
    _id: lastId + nth + 1,
    ...owner,
    position: nth + 1,
    place_key: `0x${nth.toString(16)}:0x1`,
    web_presence: classifyWebsite(place.website).tier,
    place,
    totals: { places: nth + 1, reviews: 0, images: 0 },
    task_id: 'task',
    attempt: 1,
    agent_id: 'agent',
    created_at: new Date(),
  }
}

/** The most reviews that a place may have, with the lengths of real ones. */
export function manyReviews(count: number): Review[] {
  const reviews = Array.from({ length: 100 }, (_, index) => city.reviews(index, 'newest')).flat()
  return reviews.slice(0, count)
}
