import type { Place } from '@placefleet/shared/place'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Collection, Db } from 'mongodb'
import { appendToChain, type Chain, insertedBeforeDuplicate } from '../mongo/chain.ts'
import { createSerial } from '../mongo/serial.ts'
import type { ResultDocument, ResultTotals, SealDocument } from './documents.ts'

/** A place that passed validation and the job's filter. */
export type AcceptedPlace = { place_key: string; place: Place; web_presence: WebPresence }

/** Where places come from, and what the job they go to still takes. */
export type Destination = {
  user_id: string
  job_id: string
  task_id: string
  attempt: number
  agent_id: string
  max_results: number
  /** Whether the job's hold covers these totals. */
  affordable(totals: ResultTotals): boolean
}

/** Why a chain takes no more places: its cap, its hold, or its job has ended. */
export type ChainEnd = 'full' | 'spent' | 'sealed'

export type AppendedPlaces = { stored: number; duplicates: number; totals: ResultTotals; end?: ChainEnd }

/** The only writer of results. */
export type ResultAppender = {
  /** Stores places at the end of the job's chain, each once, never beyond its cap or its hold. Safe to repeat. */
  append(to: Destination, places: AcceptedPlace[]): Promise<AppendedPlaces>
  /** Ends the job's chain, so that nothing is stored any more, and gives its final totals. Safe to repeat. */
  seal(job_id: string): Promise<ResultTotals>
  /** The keys of the places a job has stored. */
  keys(job_id: string): Promise<string[]>
  /** Removes a deleted job's places. The seal stays, so that none can be added again. */
  remove(job_id: string): Promise<void>
}

type Member = ResultDocument | SealDocument

const NOTHING: ResultTotals = { places: 0, reviews: 0, images: 0 }

/** The appender over the results of a database. */
export function createResultAppender(db: Db): ResultAppender {
  const results = db.collection<Member>('results')
  const counters = db.collection<{ _id: string; value: number }>('counters')
  const serial = createSerial()

  /** The first of `count` result ids. Drawn after the last member was read, so ids rise along every chain. */
  const drawIds = async (count: number): Promise<number> => {
    const change = { $inc: { value: count } }
    const counter = await counters.findOneAndUpdate({ _id: 'results' }, change, {
      upsert: true,
      returnDocument: 'after',
    })
    return (counter?.value ?? count) - count + 1
  }

  const append = async (to: Destination, places: AcceptedPlace[]): Promise<AppendedPlaces> => {
    let last: Member | undefined
    const chain: Chain<AcceptedPlace, Member> = {
      known: (keys) => results.distinct('place_key', { job_id: to.job_id, place_key: { $in: keys } }),
      last: async () => (last = await lastMember(results, to.job_id)),
      build: async (previous, items) => {
        const fitting = fitBehind(previous, items, to)
        return fitting.length === 0 ? [] : documents(previous, fitting, to, await drawIds(fitting.length))
      },
      insert: async (members) => {
        const inserted = await insertedBeforeDuplicate(results.insertMany(members, { ordered: true }))
        last = members[inserted - 1] ?? last
        return inserted
      },
    }
    const { appended, known, left } = await appendToChain(chain, places)
    const end = chainEnd(last, left.length > 0, to)
    const duplicates = await storedByOthers(results, to, known)
    return { stored: appended.length, duplicates, totals: totalsOf(last), ...(end ? { end } : {}) }
  }

  const seal = async (job_id: string): Promise<ResultTotals> => {
    for (;;) {
      const last = await lastMember(results, job_id)
      if (last && 'sealed' in last) return totalsOf(await placeBefore(results, last))
      const closing: SealDocument = { _id: await drawIds(1), job_id, position: (last?.position ?? 0) + 1, sealed: true }
      if ((await insertedBeforeDuplicate(results.insertMany([closing]))) === 1) return totalsOf(last)
    }
  }

  return {
    append: (to, places) => serial(to.job_id, () => append(to, places)),
    seal: (job_id) => serial(job_id, () => seal(job_id)),
    keys: (job_id) => results.distinct('place_key', { job_id, place_key: { $exists: true } }),
    remove: async (job_id) => {
      await results.deleteMany({ job_id, sealed: { $exists: false } })
    },
  }
}

/** The items, from the first on, that may be stored behind the chain's last member. */
function fitBehind(last: Member | undefined, items: AcceptedPlace[], to: Destination): AcceptedPlace[] {
  if (last && 'sealed' in last) return []
  const room = items.slice(0, Math.max(0, to.max_results - (last?.position ?? 0)))
  let totals = totalsOf(last)
  const unaffordable = room.findIndex((item) => {
    totals = added(totals, item.place)
    return !to.affordable(totals)
  })
  return unaffordable < 0 ? room : room.slice(0, unaffordable)
}

function documents(
  last: Member | undefined,
  items: AcceptedPlace[],
  to: Destination,
  firstId: number,
): ResultDocument[] {
  let totals = totalsOf(last)
  return items.map(({ place: { place_key, ...place }, web_presence }, index) => {
    totals = added(totals, place)
    return {
      _id: firstId + index,
      user_id: to.user_id,
      job_id: to.job_id,
      position: (last?.position ?? 0) + index + 1,
      place_key,
      web_presence,
      place,
      totals,
      task_id: to.task_id,
      attempt: to.attempt,
      agent_id: to.agent_id,
      created_at: new Date(),
    }
  })
}

function chainEnd(last: Member | undefined, someLeft: boolean, to: Destination): ChainEnd | undefined {
  if (last && 'sealed' in last) return 'sealed'
  if ((last?.position ?? 0) >= to.max_results) return 'full'
  return someLeft ? 'spent' : undefined
}

function added(totals: ResultTotals, place: Omit<Place, 'place_key'>): ResultTotals {
  const reviews = (place.user_reviews?.length ?? 0) + (place.user_reviews_extended?.length ?? 0)
  return {
    places: totals.places + 1,
    reviews: totals.reviews + reviews,
    images: totals.images + (place.images?.length ?? 0),
  }
}

const totalsOf = (member: Member | undefined): ResultTotals => (member && 'totals' in member ? member.totals : NOTHING)

async function lastMember(results: Collection<Member>, job_id: string): Promise<Member | undefined> {
  return (await results.findOne({ job_id }, { sort: { position: -1 } })) ?? undefined
}

/** How many of the known places another task stored: what this task stored itself was only sent again. */
async function storedByOthers(results: Collection<Member>, to: Destination, known: AcceptedPlace[]): Promise<number> {
  if (known.length === 0) return 0
  const place_key = { $in: known.map((item) => item.place_key) }
  return results.countDocuments({ job_id: to.job_id, place_key, task_id: { $ne: to.task_id } })
}

async function placeBefore(results: Collection<Member>, seal: SealDocument): Promise<Member | undefined> {
  return (await results.findOne({ job_id: seal.job_id, position: seal.position - 1 })) ?? undefined
}
