import { AppError } from '@placefleet/coordinator/http/errors'
import { expect } from 'vitest'
import { Crash } from '../billing/memory-ledger.ts'
import type { Bed } from './bed.ts'
import { faultsOf } from './invariants.ts'
import type { Operation, Situation } from './operation.ts'
import { type Points, pointsOf } from './points.ts'
import { dyingBefore, type Step } from './steps.ts'

/** No write has this number. */
const NEVER = Number.POSITIVE_INFINITY

/** Lets a process die before the writes of an operation that `points` takes, each time in a new world. */
export async function crashEverywhere(bed: Bed, operation: Operation, points: Points): Promise<void> {
  const writes = await writesOf(bed, operation)
  expect(writes, 'writes').toBeGreaterThan(1)
  for (const point of pointsOf(operation, writes, points)) await crashBefore(bed, operation, point)
}

const counted = new Map<Operation, Promise<number>>()

/** Returns the number of writes of an operation. Nothing happens during the first call, and a rival comes after it. */
function writesOf(bed: Bed, operation: Operation): Promise<number> {
  const known = counted.get(operation) ?? (operation.notIn === 'races' ? crashBefore : raceAt)(bed, operation, NEVER)
  counted.set(operation, known)
  return known
}

/** Lets a process die before one write. Returns the number of writes that it did or tried. */
async function crashBefore(bed: Bed, { begin }: Operation, point: number): Promise<number> {
  await using situation = forgotten(bed, await begin(bed))
  let writes = 0
  let died = false
  const dying = dyingBefore(point, () => {
    died = true
  })
  const counted: Step = (write) => {
    writes += 1
    return dying(write)
  }
  await bed.inSteps(counted, situation.call).catch(onlyOf(Crash, AppError))
  if (died) await (situation.resume ?? (() => refusable(situation.call(bed.db))))()
  const tried = writes
  await settled(bed, situation)
  await expectSound(bed, situation, died ? `died before write ${point}` : 'lived')
  return tried
}

/** Removes the work of a situation with its end. */
const forgotten = (bed: Bed, situation: Situation): Situation & AsyncDisposable => ({
  ...situation,
  async [Symbol.asyncDispose]() {
    for (const user_id of situation.users) await bed.forget(user_id)
  },
})

/**
 * Lets a process stop before the writes of an operation that `points` takes, each time in a new world, while another
 * one does the same from its beginning to its end. Then the first goes on.
 */
export async function raceEverywhere(bed: Bed, operation: Operation, points: Points): Promise<void> {
  const writes = await writesOf(bed, operation)
  expect(writes, 'writes').toBeGreaterThan(0)
  for (const point of pointsOf(operation, writes, points)) await raceAt(bed, operation, point)
}

/** Lets another process come before one write, else after the call. Returns the number of writes of the call. */
async function raceAt(bed: Bed, { begin }: Operation, point: number): Promise<number> {
  await using situation = forgotten(bed, await begin(bed))
  let writes = 0
  let met = false
  const stopping: Step = async (write) => {
    writes += 1
    if (writes === point) {
      met = true
      await refusable((situation.rival ?? situation.call)(bed.db))
    }
    return write()
  }
  await refusable(bed.inSteps(stopping, situation.call))
  const done = writes
  if (!met) await refusable((situation.rival ?? situation.call)(bed.db))
  await settled(bed, situation)
  await expectSound(bed, situation, met ? `the other came before write ${point}` : 'the other came after it')
  return done
}

/** Waits for what coordinators do by themselves. */
async function settled(bed: Bed, { users, settle }: Situation): Promise<void> {
  if (settle) await settle()
  else for (const user_id of users) await bed.sweep(user_id)
}

/** A call that may be refused, as the user would be. */
const refusable = (call: Promise<unknown>): Promise<unknown> => call.catch(onlyOf(AppError))

const onlyOf =
  (...expected: readonly (new (...given: never[]) => Error)[]) =>
  (error: unknown): void => {
    if (!expected.some((one) => error instanceof one)) throw error
  }

async function expectSound(bed: Bed, { users, check }: Situation, how: string): Promise<void> {
  for (const user_id of users) expect(await faultsOf(bed, user_id), how).toEqual([])
  try {
    await check?.()
  } catch (error) {
    if (error instanceof Error) error.message = `${how}: ${error.message}`
    throw error
  }
}
