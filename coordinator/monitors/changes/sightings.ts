import type { Place } from '@placefleet/shared/place'
import type { Db } from 'mongodb'
import { COMPARED_FIELDS, comparedFieldsOf } from '../../known-places/compared-fields.ts'
import { using } from '../../mongo/indexes.ts'
import { isErased } from '../../results/erasure.ts'
import { placesOf } from '../../results/store.ts'
import { type WatchedPlaceDocument, watchedPlacesBy, watchedPlacesOf } from './documents.ts'
import type { Watched } from './rules.ts'

/**
 * A place as its monitor knew it before a run, its fields as the run stored it, and whether a search of the run listed
 * it.
 */
export type Sighting = {
  place_key: string
  watched?: WatchedPlaceDocument
  stored?: Watched
  listed?: true
}

/** The documents that a cursor holds at a time. */
export const BATCH = 500

type Seen = {
  monitor_id: string
  job_id: string
  /** The keys of the known places that the searches listed, in order. */
  listed: AsyncIterable<string>
  withRatings: boolean
}

/** Streams the places that a monitor knows or that its run saw, each once, in the order of their keys. */
export const sightingsOf = (db: Db, seen: Seen): AsyncGenerator<Sighting> =>
  mergeByKey([watchedPlaces(db, seen), storedPlaces(db, seen), listedPlaces(seen)])

async function* watchedPlaces(db: Db, { monitor_id }: Seen): AsyncGenerator<Sighting> {
  const places = watchedPlacesOf(db).find(
    { monitor_id },
    { ...using(watchedPlacesBy.monitor_place), projection: { _id: 0 } },
  )
  for await (const watched of places.sort({ place_key: 1 }).batchSize(BATCH)) {
    yield { place_key: watched.place_key, watched }
  }
}

async function* storedPlaces(db: Db, { job_id, withRatings }: Seen): AsyncGenerator<Sighting> {
  const names = [...COMPARED_FIELDS, 'rating', 'review_count'] as const
  for await (const { place_key, place } of placesOf(db, job_id, names, { byKey: true })) {
    if (!isErased(place_key)) yield { place_key, stored: watchedFields(place, withRatings) }
  }
}

function watchedFields(place: Omit<Place, 'place_key'>, withRatings: boolean): Watched {
  const { rating, review_count } = place
  return { ...comparedFieldsOf(place), ...(withRatings && { rating, review_count }) }
}

async function* listedPlaces({ listed }: Seen): AsyncGenerator<Sighting> {
  for await (const place_key of listed) yield { place_key, listed: true }
}

/** Merges streams in the order of their keys. Keys are ASCII, so the database and this process order them alike. */
async function* mergeByKey(streams: readonly AsyncGenerator<Sighting>[]): AsyncGenerator<Sighting> {
  const next = async (stream: AsyncGenerator<Sighting>) => {
    const { value, done } = await stream.next()
    return done ? undefined : { stream, sighting: value }
  }
  try {
    let heads = (await Promise.all(streams.map(next))).filter((head) => head !== undefined)
    while (heads.length > 0) {
      const place_key = heads
        .map(({ sighting }) => sighting.place_key)
        .reduce((one, other) => (one < other ? one : other))
      const sighting: Sighting = { place_key }
      const advanced = heads.map((head) => {
        if (head.sighting.place_key !== place_key) return head
        Object.assign(sighting, head.sighting)
        return next(head.stream)
      })
      heads = (await Promise.all(advanced)).filter((head) => head !== undefined)
      yield sighting
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.return(undefined)))
  }
}
