import { afterAll, test } from 'vitest'
import { volume } from '../harness/volume.ts'
import { startBed } from './operations/bed.ts'
import { operations } from './operations/operations.ts'
import { type Points, SEED } from './operations/points.ts'
import { crashEverywhere, raceEverywhere } from './operations/run.ts'

const bed = await startBed((end) => afterAll(end))

const CRASHES = volume<Points>({ edge: 'last' }, 'all')
const RACES = volume<Points>({ edge: 'first' }, 'all')

/** With the seed that repeats the choice. */
const writes = (points: Points) =>
  points === 'all' ? 'any write' : `the ${points.edge} write and one between (PROPERTY_SEED=${SEED})`

test.each(operations.filter(({ notIn }) => notIn !== 'crashes'))(
  `a process may die before ${writes(CRASHES)} of $name, $when`,
  (operation) => crashEverywhere(bed, operation, CRASHES),
)

test.each(operations.filter(({ notIn }) => notIn !== 'races'))(
  `two processes may meet at ${writes(RACES)} of $name, $when`,
  (operation) => raceEverywhere(bed, operation, RACES),
)
