import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { z } from 'zod'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The measured seconds of each test file. `npm run test:durations` writes it. */
export const DURATIONS_FILE = join(ROOT, 'test', 'durations.json')

/** A file without a measured duration is new. It starts early, because nobody knows how long it takes. */
const UNKNOWN_SECONDS = 20

/** Starts the longest files first, so that no worker waits for one that started last. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')))
    const secondsOf = ({ moduleId }: TestSpecification) => seconds[relative(ROOT, moduleId)] ?? UNKNOWN_SECONDS
    return files.toSorted((a, b) => secondsOf(b) - secondsOf(a))
  }
}
