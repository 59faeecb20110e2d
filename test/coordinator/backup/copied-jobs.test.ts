import { createCopiedJobs } from '@placefleet/coordinator/backup/backup'
import { HOLD, SETTLEMENT } from '@placefleet/coordinator/billing/ledger/holds'
import { expect, test } from 'vitest'

test('the seal of a job that ended during a backup is left out until its settlement is in the copy', () => {
  const jobs = createCopiedJobs()
  const seal = { job_id: 'job', sealed: true }
  jobs.entry({ reference_type: HOLD, reference_id: 'job' })
  expect(jobs.isSealedEarly(seal)).toBe(true)
  expect(jobs.isSealedEarly({ job_id: 'job', place_key: '0x1:0x2' })).toBe(false)
  jobs.entry({ reference_type: SETTLEMENT, reference_id: 'job' })
  expect(jobs.isSealedEarly(seal)).toBe(false)
})
