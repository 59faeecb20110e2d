import { afterAll, expect, test } from 'vitest'
import { startBed } from './operations/bed.ts'
import { operations } from './operations/operations.ts'
import { raceEverywhere } from './operations/run.ts'

const bed = await startBed((end) => afterAll(end))

const rows = operations.filter(({ notIn }) => notIn !== 'races')

test.each(rows)('two processes may meet at any write of $name, $when', async (operation) => {
  const met = await raceEverywhere(bed, operation)
  expect(met, 'writes').toBeGreaterThan(0)
  if (operation.writes !== undefined) expect(met, 'writes').toBe(operation.writes)
})
