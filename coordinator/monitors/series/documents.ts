import type { PlaceReference } from '@placefleet/shared/place'
import type { Collection, Db } from 'mongodb'
import type { MicroCredits } from '../../billing/cost.ts'
import type { TotalEstimate } from '../../coverage/estimate-total.ts'
import { collection } from '../../mongo/connect.ts'
import type { Index } from '../../mongo/indexes.ts'
import type { SealedField } from '../../secrets/documents.ts'
import type { MonitorDocument } from '../documents.ts'
import type { SeriesCell } from './map.ts'
import type { SeriesEnd } from './next-job.ts'

/** The jobs that exhaust the area of a monitor at one occurrence, one after the other. Its id is that of the run. */
export type SeriesDocument = {
  _id: string
  monitor_id: string
  user_id: string
  at: Date
  /** The request of all its jobs, as the monitor had it at the beginning. The proxies are encrypted beside it. */
  job: MonitorDocument['job']
  sealed_proxies?: string
  /** Credits that all its jobs may cost together. */
  max_cost?: string
  /** The number of its current job, from 1. It changes only by compare-and-set. */
  number: number
  /** Its ended jobs, in order. */
  jobs: string[]
  /** Places stored by its ended jobs, and what these jobs cost. */
  found: number
  spent: MicroCredits
  /** The places that its first job looked at directly. */
  looks: string[]
  /** Why it ended. Absent while it goes on. */
  ended?: SeriesEnd
  /** The failure, in words for the user. */
  reason?: string
  /** How many places the area has, by the searches so far. */
  estimate?: TotalEstimate
  created_at: Date
}

/** One cell of the map that the jobs of a series share. */
export type SeriesCellDocument = SeriesCell & { _id: string; series_id: string; monitor_id: string }

/**
 * A place that the jobs of a series found. `waiting`: listed and not collected yet; `stored`; `dropped`: collected and
 * not stored, because a filter excludes it for example; `known`: dropped by `only_new`.
 */
export type SeriesPlaceDocument = {
  series_id: string
  place_key: string
  state: 'waiting' | 'stored' | 'dropped' | 'known'
  /** How to collect it, while it waits. */
  reference?: PlaceReference
}

export const seriesOf = (db: Db): Collection<SeriesDocument> => collection(db, 'monitor_series')

export const seriesCellsOf = (db: Db): Collection<SeriesCellDocument> => collection(db, 'series_cells')

export const seriesPlacesOf = (db: Db): Collection<SeriesPlaceDocument> => collection(db, 'series_places')

/** The index of the series of a monitor. */
export const SERIES_INDEX = 'monitor_at'

/** The indexes of the cells of a series, and of those of all series of a monitor. */
export const CELLS_INDEX = 'series'
export const MONITOR_CELLS_INDEX = 'monitor'

/** The index of the places of a series. It keeps each once. */
export const PLACES_INDEX = 'series_place'

/** The index of the places of a series by state. */
export const STATE_INDEX = 'series_state'

/** The sealed field of series: the proxies of their jobs. */
export const seriesSealedFields: readonly SealedField[] = [{ collection: 'monitor_series', field: 'sealed_proxies' }]

export const seriesIndexes: readonly Index[] = [
  { collection: 'monitor_series', name: SERIES_INDEX, key: { monitor_id: 1, at: 1 }, hinted: true },
  { collection: 'series_cells', name: CELLS_INDEX, key: { series_id: 1 }, hinted: true },
  { collection: 'series_cells', name: MONITOR_CELLS_INDEX, key: { monitor_id: 1 }, hinted: true },
  { collection: 'series_places', name: PLACES_INDEX, key: { series_id: 1, place_key: 1 }, unique: true },
  { collection: 'series_places', name: STATE_INDEX, key: { series_id: 1, state: 1, place_key: 1 }, hinted: true },
]
