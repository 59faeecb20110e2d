import { randomUUID } from 'node:crypto'
import { sumCells } from '@placefleet/coordinator/coverage/certificate'
import { type CellDocument, cellId, cellKey, cellsOf } from '@placefleet/coordinator/coverage/documents'
import { auditSample, auditSampleOf } from '@placefleet/coordinator/coverage/sample'
import { seenCells } from '@placefleet/coordinator/coverage/store'
import { type Cell, quarters } from '@placefleet/shared/cell'
import { MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

/** Searches a cell and its parts, for each keyword down to its own depth. */
function searches(job_id: string, depths: Record<string, number>): CellDocument[] {
  const searched = (keyword: string, bounds: Cell, depth: number): CellDocument[] => {
    const places = depth === 0 ? 1 + (Math.round(bounds.south * 1e4) % 7) : 100
    const state = depth === 0 ? 'searched' : 'cut'
    const search = { _id: cellId(job_id, keyword, bounds), job_id, kind: 'search', keyword } as const
    const cell = { ...search, bounds, state, places } as const
    return [cell, ...(depth === 0 ? [] : quarters(bounds).flatMap((part) => searched(keyword, part, depth - 1)))]
  }
  const whole = { south: 34, north: 36, west: 32, east: 34 }
  return Object.entries(depths).flatMap(([keyword, depth]) => searched(keyword, whole, depth))
}

/** Returns the cells that were not divided further, as the database is asked for them a part at a time. */
function undivided(cells: readonly CellDocument[]): CellDocument[] {
  const known = new Set(cells.map(({ keyword, bounds }) => `${keyword} ${cellKey(bounds)}`))
  return cells.filter(({ keyword, bounds, state }) => {
    if (state !== 'cut' || !bounds) return true
    return !quarters(bounds).some((quarter) => known.has(`${keyword} ${cellKey(quarter)}`))
  })
}

async function storedCells(depths: Record<string, number>) {
  const job_id = randomUUID()
  const cells = searches(job_id, depths)
  const [smallest, cut] = [cells.at(-1), cells.at(-2)]
  if (!smallest?.bounds || !cut) throw new Error('no cells')
  cut.state = 'cut' // and not divided
  await cellsOf(db).insertMany(cells)
  return { job_id, cells }
}

test('the cells of a job are read 500 at a time, and each tells whether it was divided', async () => {
  const { job_id, cells } = await storedCells({ cafe: 5, bar: 2 })
  const observer = await new MongoClient(inject('mongoUrl'), { monitorCommands: true }).connect()
  onTestFinished(() => observer.close())
  const reads: number[] = []
  observer.on('commandSucceeded', ({ reply }) => {
    const { cursor } = Object(reply)
    if (cursor) reads.push((cursor.firstBatch ?? cursor.nextBatch).length)
  })
  const ahead: number[] = []

  const divided: string[] = []
  for await (const cell of seenCells(observer.db(db.databaseName), job_id)) {
    ahead.push(reads.length)
    if (cell.divided) divided.push(cell._id)
  }

  expect(cells.length).toBeGreaterThan(1_000)
  expect(Math.max(...reads)).toBeLessThanOrEqual(2_000) // the ids of the quarters of 500
  expect(ahead[0]).toBeLessThan(ahead.at(-1) ?? 0) // the first cells come before the last ones are read
  const covering = new Set(undivided(cells).map(({ _id }) => _id))
  expect(divided.sort()).toEqual(cells.flatMap(({ _id }) => (covering.has(_id) ? [] : [_id])).sort())
  expect(await sumCells(seenCells(db, job_id))).toMatchObject({
    counts: { searched: cells.filter(({ state }) => state === 'searched').length },
    undivided: covering.size,
    whole: false,
  })
})

test('the sample of an audit is the same when the cells are not held', async () => {
  const { job_id, cells } = await storedCells({ bar: 2, cafe: 4 })

  const streamed = await auditSampleOf(() => seenCells(db, job_id), job_id)

  const held = auditSample(undivided(cells), job_id)
  expect(held.length).toBeGreaterThan(8)
  expect(streamed.map(({ bounds }) => bounds)).toEqual(held.map(({ bounds }) => bounds))
})
