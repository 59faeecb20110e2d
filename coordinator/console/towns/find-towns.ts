import { readFile } from 'node:fs/promises'
import { AppError } from '../../http/errors.ts'
import { loadedOnce } from '../../http/loaded-once.ts'
import { TOWNS_FILE } from '../dist.ts'
import type { Town } from './schema.ts'
import { searchedName, searchTowns } from './search.ts'

/**
 * Finds towns by the beginning of their name, the best matches first.
 * @throws AppError `unavailable` when the list is not built.
 */
export type FindTowns = (search: string, limit: number) => Promise<Town[]>

/** Creates a search of the list of towns, 7 MB, which is read with the first search. */
export function createFindTowns(file = TOWNS_FILE): FindTowns {
  const towns = loadedOnce(() => readTowns(file))
  return async (search, limit) => searchTowns(await towns(), searchedName(search), limit)
}

async function readTowns(file: string): Promise<Buffer> {
  return readFile(file).catch((cause) => {
    throw new AppError('unavailable', 'The list of towns is not built. Run `npm run console:build`.', {
      cause,
    })
  })
}
