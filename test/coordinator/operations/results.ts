import { auditedCellsOf, cellKey, cellsOf } from '@placefleet/coordinator/coverage/documents'
import { recordSearches, searchUpdates, storeAudit } from '@placefleet/coordinator/coverage/store'
import { droppedPlacesOf, knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { createKnownPlaces } from '@placefleet/coordinator/known-places/store'
import { erase } from '@placefleet/coordinator/operator/erasure'
import { type AcceptedPlace, createResultAppender, type Destination } from '@placefleet/coordinator/results/append'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import type { Operation } from './operation.ts'

/** The places of a job, and where they belong. */
export function placesOf(user_id: string, job_id: string, ...keys: string[]) {
  const source = { task_id: 'task', attempt: 1, agent_id: 'agent' }
  const to: Destination = { user_id, job_id, ...source, max_results: 100, affordable: () => true }
  const places = keys.map((place_key): AcceptedPlace => {
    const user_reviews = [{ id: place_key, author_url: `https://maps.example/contrib/${digitsOf(job_id)}/` }]
    return { place_key, place: { place_key, title: place_key, user_reviews }, web_presence: 'none' }
  })
  return { to, places }
}

const digitsOf = (id: string) => String(Number.parseInt(id.slice(-8), 16))

/** A chain of two places of a job. */
async function twoPlaces(db: Db) {
  const [user_id, job_id] = [crypto.randomUUID(), crypto.randomUUID()]
  const [one, two] = [`0x1:0x${job_id.slice(0, 8)}`, `0x2:0x${job_id.slice(0, 8)}`]
  const { to, places } = placesOf(user_id, job_id, one, two)
  await createResultAppender(db).append(to, places)
  const stored = () => db.collection('results').find({ job_id }).sort({ position: 1 }).toArray()
  return { user_id, job_id, one, two, to, places, stored }
}

const erasuresOf = (db: Db) => db.collection<{ subject: string; ended_at?: Date }>('erasures')

const results: Operation[] = [
  {
    name: 'results/append.ts append',
    when: 'after a crash of the database that lost what another coordinator had stored',
    notIn: 'races',
    async begin({ db }) {
      const { user_id, job_id, one, two, stored } = await twoPlaces(db)
      const more = placesOf(user_id, job_id, 'c')
      let lost = false
      return {
        users: [],
        async call(seen) {
          const appender = createResultAppender(seen)
          await appender.append(more.to, placesOf(user_id, job_id, one, two).places)
          if (!lost) await db.collection('results').deleteMany({ job_id, position: { $gt: 1 } })
          lost = true
          await appender.append(more.to, more.places)
          await appender.seal(job_id)
        },
        async check() {
          const chain = await stored()
          const places = chain.filter((member) => 'place_key' in member)
          expect(chain.at(-1)?.totals?.places, 'places that are billed').toBe(places.length)
        },
      }
    },
  },
  {
    name: 'operator/erasure.ts erase',
    when: 'of an author with two stored reviews',
    async begin({ db }) {
      const { job_id, stored } = await twoPlaces(db)
      return {
        users: [],
        call: (seen) => erase(seen, { kind: 'author', id: digitsOf(job_id) }),
        async check() {
          const texts = JSON.stringify(await stored())
          expect(texts).not.toContain('contrib')
          expect(await erasuresOf(db).countDocuments({ ended_at: { $exists: true } }, SCAN)).toBeGreaterThan(0)
        },
      }
    },
  },
  {
    name: 'operator/erasure.ts erase',
    when: 'of a stored and known place',
    async begin({ db }) {
      const { user_id, job_id, one, two, stored } = await twoPlaces(db)
      await createKnownPlaces(db).add(user_id, [one, two])
      await createKnownPlaces(db).noteDropped(job_id, [one])
      return {
        users: [],
        call: (seen) => erase(seen, { kind: 'place', id: one }),
        async check() {
          expect(await knownPlacesOf(db).distinct('place_key', { user_id })).toEqual([two])
          expect(await droppedPlacesOf(db).countDocuments({ job_id })).toBe(0)
          const [erased, kept] = await stored()
          expect(erased?.place_key).toMatch(/^erased:/)
          expect(kept?.place_key).toBe(two)
        },
      }
    },
  },
]

const beside: Operation[] = [
  {
    name: 'known-places/store.ts record',
    when: 'of places that are new and that were known',
    async begin({ db }) {
      const { user_id, job_id, one } = await twoPlaces(db)
      const known = createKnownPlaces(db)
      await known.add(user_id, [one, 'dropped'])
      await known.noteDropped(job_id, ['dropped'])
      const data = { keywords: ['k'], lat: '' as const, lon: '' as const, radius: 0 }
      return {
        users: [],
        call: (seen) => createKnownPlaces(seen).record({ user_id, job_id, data }),
        async check() {
          const places = await knownPlacesOf(db).find({ user_id }).toArray()
          expect(places.map(({ last_job_id }) => last_job_id)).toEqual([job_id, job_id, job_id])
          expect(places.filter(({ search }) => search !== undefined)).toHaveLength(2)
        },
      }
    },
  },
  {
    name: 'coverage/store.ts recordSearches',
    when: 'of a search and of one of an audit',
    async begin({ db }) {
      const job_id = crypto.randomUUID()
      const bounds = { south: 52, north: 52.1, west: 13, east: 13.2 }
      const cell = { bounds, state: 'searched', places: 1, place_keys: ['k'], look: 0 } as const
      const searched = [
        { ...cell, place_keys: ['k'] },
        { ...cell, place_keys: ['k'], audit: 'shifted' as const },
      ]
      const _id = `${job_id} ${cellKey(bounds)}`
      await storeAudit(db, [{ _id, job_id, kind: 'audit', bounds, before: [] }])
      return {
        users: [],
        call: (seen) => recordSearches(seen, searchUpdates(db, { job_id, keyword: 'k' }, searched)),
        async check() {
          expect(await cellsOf(db).find({ job_id, kind: 'search' }).toArray()).toMatchObject([{ places: 1 }])
          expect(await auditedCellsOf(db).find({ job_id, kind: 'audit' }).toArray()).toMatchObject([{ shifted: ['k'] }])
        },
      }
    },
  },
]

/** The operations on places. */
export const resultOperations: readonly Operation[] = [...results, ...beside]
