import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { expect } from 'vitest'
import { type Bed, CREDITS, START } from './bed.ts'

/** What a user has paid. */
export const chargedTo = async ({ healthy }: Bed, user_id: string) =>
  CREDITS - (await healthy.ledger.state(user_id)).balance

/** The one job of a user, as it must have ended. */
export const endsAs =
  (bed: Bed, user_id: string, job: object, charged = START) =>
  async () => {
    expect(await jobsOf(bed.db).find({ user_id }).toArray()).toMatchObject([job])
    expect(await chargedTo(bed, user_id)).toBe(charged)
  }

/** Nothing is left of the jobs of a user, who paid nothing. */
export const noneLeft = (bed: Bed, user_id: string) => async () => {
  expect(await jobsOf(bed.db).countDocuments({ user_id })).toBe(0)
  expect(await tasksOf(bed.db).countDocuments({ user_id })).toBe(0)
  expect(await chargedTo(bed, user_id)).toBe(0)
}

/** A job that its user has deleted. */
export const DELETED = { listed: false, phase: 'deleted' }
