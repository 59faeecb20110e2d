import { afterAll, expect, test } from 'vitest'
import { volume } from '../harness/volume.ts'
import { startBed } from './operations/bed.ts'
import { operations } from './operations/operations.ts'
import { type Points, SEED } from './operations/points.ts'
import { raceEverywhere } from './operations/run.ts'

const bed = await startBed((end) => afterAll(end))

const rows = operations.filter(({ notIn }) => notIn !== 'races')

const POINTS = volume<Points>({ edge: 'first' }, 'all')

/** With the seed that repeats the choice. */
const anyWrite = POINTS === 'all' ? 'any write' : `the first write and one between (PROPERTY_SEED=${SEED})`

test.each(rows)(`two processes may meet at ${anyWrite} of $name, $when`, async (operation) => {
  const met = await raceEverywhere(bed, operation, POINTS)
  expect(met, 'writes').toBeGreaterThan(0)
  if (operation.writes !== undefined) expect(met, 'writes').toBe(operation.writes)
})
