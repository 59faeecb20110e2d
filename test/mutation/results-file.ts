import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { isSame, type Listed, type Result } from './mutation.ts'

const Recorded = z.object({
  file: z.string(),
  original: z.string(),
  replacement: z.string(),
  killedBy: z.string().optional(),
  seconds: z.number(),
})

/** Appends a result as a line of JSON, so that a run that ends early can be continued. */
export const recordIn = (
  path: string,
  { list, file, promise, original, replacement, killedBy, seconds }: Result,
): void =>
  appendFileSync(path, `${JSON.stringify({ list, file, promise, original, replacement, killedBy, seconds })}\n`)

/** Returns the results of those mutations whose last result in the file says killed. A missing file has no results. */
export function killedBefore(path: string, mutations: readonly Listed[]): Result[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const recorded = lines.map((line) => Recorded.parse(JSON.parse(line)))
  return mutations.flatMap((mutation) => {
    const last = recorded.findLast((result) => isSame(result, mutation))
    return last?.killedBy === undefined ? [] : [{ ...mutation, killedBy: last.killedBy, seconds: last.seconds }]
  })
}
