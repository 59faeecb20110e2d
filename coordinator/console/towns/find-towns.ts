import { readFile } from 'node:fs/promises'
import { createCache } from '../../cache.ts'
import { AppError } from '../../http/errors.ts'
import { loadedOnce } from '../../http/loaded-once.ts'
import { TOWNS_FILE } from '../dist.ts'
import { MOST_TOWNS, type Town } from './schema.ts'
import { searchedName, searchTowns } from './search.ts'

/**
 * Finds towns by the beginning of their name, the best matches first.
 * @throws AppError `unavailable` when the list is not built.
 */
export type FindTowns = (search: string, limit: number) => Promise<Town[]>

/** Creates a search of the list of towns, 7 MB, which is read with the first search. */
export function createFindTowns(file = TOWNS_FILE): FindTowns {
  const towns = loadedOnce(() => readTowns(file))
  const ofShortNames = createCache<Town[]>(MOST_SHORT)
  return async (search, limit) => {
    const name = searchedName(search)
    if (name.length > SHORT) return searchTowns(await towns(), name, limit)
    const found = ofShortNames.get(name) ?? searchTowns(await towns(), name, MOST_TOWNS)
    ofShortNames.set(name, found)
    return found.slice(0, limit)
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
