import { z } from 'zod'
import { hasArea } from './area/area-of.ts'

/** What a job records about its completeness. `audited` also estimates how many places it missed. */
export const COVERAGES = ['none', 'cells', 'audited'] as const
export const Coverage = z.enum(COVERAGES)
export type Coverage = z.infer<typeof Coverage>

/**
 * Returns the coverage of a job. By default, a job with an area records its cells. One that exhausts its area always
 * does.
 */
export const coverageOf = ({ coverage, exhaust, ...fields }: CoverageFields): Coverage =>
  exhaust ? 'cells' : (coverage ?? (hasArea(fields) ? 'cells' : 'none'))

type CoverageFields = {
  coverage?: Coverage | undefined
  exhaust?: boolean | undefined
  radius: number
  area?: unknown
  bbox?: unknown
}

/**
 * The result of searching a cell. `cut`: the search hit its limit, so there may be more places. `blocked`: the map site
 * did not answer, or held results back. `unsearched`: the search is due, or the job ended before it.
 */
const CELL_STATES = ['searched', 'cut', 'blocked', 'unsearched'] as const
export type CellState = (typeof CELL_STATES)[number]

/** The searches of an audit: around another centre, and also in another wording. */
export const AUDIT_SEARCHES = ['shifted', 'reworded'] as const
export type AuditSearch = (typeof AUDIT_SEARCHES)[number]

/** The edges of a cell in degrees. `west` and `east` may exceed ±180. */
export const Bounds = z.object({
  south: z.number().min(-90).max(90),
  north: z.number().min(-90).max(90),
  west: z.number().min(-540).max(540),
  east: z.number().min(-540).max(540),
})

/** The most cells that an audit searches again, for each keyword. */
export const MOST_AUDITED_CELLS = 40

const MOST_PLACES = 1_000

/** A task searches one cell this often at most. */
const MOST_LOOKS = 100

/** One search of a cell, as an agent reports it. Without bounds: a search without an area. */
export const SearchedCell = z.object({
  bounds: Bounds.optional(),
  state: z.enum(CELL_STATES),
  /** How many places of the cell the search listed. */
  places: z.int().min(0).max(MOST_PLACES),
  /** Set for a search of an audit, with the keys of those places. */
  audit: z.enum(AUDIT_SEARCHES).optional(),
  place_keys: z.array(z.string().min(1).max(100)).max(MOST_PLACES).default([]),
  /** How many searches of the cell its task made before. */
  look: z.int().min(0).max(MOST_LOOKS).default(0),
})
export type SearchedCell = z.infer<typeof SearchedCell>
