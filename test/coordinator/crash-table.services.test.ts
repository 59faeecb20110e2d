import { afterAll, expect, test } from 'vitest'
import { startBed } from './operations/bed.ts'
import { operations } from './operations/operations.ts'
import { crashEverywhere } from './operations/run.ts'

const bed = await startBed((end) => afterAll(end))

const rows = operations.filter(({ notIn }) => notIn !== 'crashes')

test.each(rows)('a process may die before any write of $name, $when', async (operation) => {
  const met = await crashEverywhere(bed, operation)
  expect(met, 'writes').toBeGreaterThan(1)
  if (operation.writes !== undefined) expect(met, 'writes').toBe(operation.writes)
})
