import { Job } from '@placefleet/shared/job'
import { jobExample } from '@placefleet/shared/job-example'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { z } from 'zod'
import { jobSearch, PageFields, pageQuery, uuid } from '../http/params.ts'

/** The query of `GET /api/v1/jobs`. */
export const JobListQuery = z
  .strictObject({
    ...pageQuery({ fallback: 10, max: 100 }),
    sort: z.enum(['created_at', 'name', 'status', 'updated_at']).default('created_at').describe('what to sort by'),
    order: z.enum(['asc', 'desc']).default('desc').describe('ascending or descending'),
    status: z.enum(JOB_STATUSES).optional().describe('only jobs of this status'),
    search: jobSearch,
    after: uuid.optional().describe('the id of the last job that you have: only those behind it; instead of `page`'),
  })
  .refine(({ after, page }) => after === undefined || page === 1, {
    path: ['page'],
    error: 'cannot be sent with `after`; send one of them',
  })

const TOTAL = 'jobs on all pages'

export const JobList = z.object({ jobs: z.array(Job), ...PageFields, total: PageFields.total.describe(TOTAL) }).meta({
  id: 'JobList',
  description: 'A page of jobs.',
  examples: [{ jobs: [jobExample], total: 1, page: 1, limit: 10, has_more: false }],
})

export const CreatedJob = z
  .object({ id: z.uuid() })
  .meta({ id: 'CreatedJob', description: 'The job that was created.', examples: [{ id: jobExample.id }] })
