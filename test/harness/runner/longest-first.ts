import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { z } from 'zod'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The measured seconds of each test file. `npm run test:durations` writes it. */
export const DURATIONS_FILE = join(ROOT, 'test', 'durations.json')

/** A file without a measured duration is new. It starts early, because nobody knows how long it takes. */
const UNKNOWN_SECONDS = 20

/**
 * Starts the longest files of a project first, so that no worker waits for one that started last. Projects run one
 * after the other, because a change of project starts a new worker process.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')))
    const secondsOf = ({ moduleId }: TestSpecification) => seconds[relative(ROOT, moduleId)] ?? UNKNOWN_SECONDS
    return files.toSorted((a, b) => a.project.name.localeCompare(b.project.name) || secondsOf(b) - secondsOf(a))
  }
}
