import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { searchedName } from '@placefleet/shared/text'
import { createCache, loadedOnce } from '../cache.ts'
import { AppError } from '../http/errors.ts'
import { MOST_TOWNS, type Town } from './schema.ts'
import { searchTowns, townsNamed } from './search.ts'

/**
 * Finds towns by the beginning of their name, the best matches first.
 * @throws AppError `unavailable` when the list is not built.
 */
export type FindTowns = (search: string, limit: number) => Promise<Town[]>

/** The searches of the list of towns. */
export type Towns = {
  findTowns: FindTowns
  /** Finds the towns with exactly this name, the largest first. Throws like `findTowns`. */
  townsNamed(name: string): Promise<Town[]>
}

/** The towns that the build of the console packs. */
export const TOWNS_FILE = join(import.meta.dirname, '..', 'console', 'dist', 'towns.tsv')

/** Creates the searches of the list of towns, 7 MB, which is read with the first search. */
export function createTowns(file = TOWNS_FILE): Towns {
  const towns = loadedOnce(() => readTowns(file))
  const ofShortNames = createCache<Town[]>(MOST_SHORT)
  return {
    async findTowns(search, limit) {
      const name = searchedName(search)
      if (name.length > SHORT) return searchTowns(await towns(), name, limit)
      const found = ofShortNames.get(name) ?? searchTowns(await towns(), name, MOST_TOWNS)
      ofShortNames.set(name, found)
      return found.slice(0, limit)
    },
    townsNamed: async (name) => townsNamed(await towns(), searchedName(name)),
  }
}

/** So many signs begin the names of thousands of towns, which are all sorted: 44 ms for one letter. */
const SHORT = 2
const MOST_SHORT = 1_000

async function readTowns(file: string): Promise<Buffer> {
  return readFile(file).catch((cause) => {
    throw new AppError('unavailable', 'The list of towns is not built. Run `npm run console:build`.', {
      cause,
    })
  })
}
