import { afterAll, expect, test } from 'vitest'
import { volume } from '../harness/volume.ts'
import { startBed } from './operations/bed.ts'
import { operations } from './operations/operations.ts'
import { type Points, SEED } from './operations/points.ts'
import { crashEverywhere } from './operations/run.ts'

const bed = await startBed((end) => afterAll(end))

const rows = operations.filter(({ notIn }) => notIn !== 'crashes')

const POINTS = volume<Points>({ edge: 'last' }, 'all')

/** With the seed that repeats the choice. */
const anyWrite = POINTS === 'all' ? 'any write' : `the last write and one between (PROPERTY_SEED=${SEED})`

test.each(rows)(`a process may die before ${anyWrite} of $name, $when`, async (operation) => {
  const met = await crashEverywhere(bed, operation, POINTS)
  expect(met, 'writes').toBeGreaterThan(1)
  if (operation.writes !== undefined) expect(met, 'writes').toBe(operation.writes)
})
