import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { z } from 'zod'

export const ROOT = join(import.meta.dirname, '..', '..', '..')

/** The measured seconds of each test file. `npm run test:durations` writes it. */
export const DURATIONS_FILE = join(ROOT, 'test', 'durations.json')

/** A file without a measured duration is new. It starts early, because nobody knows how long it takes. */
const UNKNOWN_SECONDS = 20

/** How a file says that it needs a document. */
const IN_DOCUMENT = /^\/\/ @vitest-environment happy-dom/

/**
 * Starts the longest files first, so that no worker waits for one that started last; a run with `--sequence.shuffle` in
 * a random order. Either way the files that need servers come first, and the files that need a document come last: a
 * worker goes on only to a file of its own project and environment. For another one, vitest starts a process, which
 * imports everything again.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence
    const rank = shuffle ? randomRank(seed) : durationRank()
    const rows = files.map((file) => ({ file, kind: kindOf(file), rank: rank(relative(ROOT, file.moduleId)) }))
    return rows.toSorted((a, b) => a.kind - b.kind || a.rank - b.rank).map(({ file }) => file)
  }
}

function kindOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'services') return 0
  return IN_DOCUMENT.test(readFileSync(moduleId, 'utf8')) ? 2 : 1
}

function durationRank(): (file: string) => number {
  const seconds = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')))
  return (file) => -(seconds[file] ?? UNKNOWN_SECONDS)
}

const randomRank = (seed: number) => (file: string) =>
  createHash('sha256').update(`${seed} ${file}`).digest().readUInt32BE()
