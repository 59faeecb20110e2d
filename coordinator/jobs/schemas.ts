import { Job } from '@placefleet/shared/job'
import { z } from 'zod'
import { PageFields, pageQuery } from '../http/paging.ts'

const SEARCH_BYTES = 200

/** The query of `GET /api/v1/jobs`. */
export const JobListQuery = z.strictObject({
  ...pageQuery({ fallback: 10, max: 100 }),
  sort: z.enum(['created_at', 'name', 'status', 'updated_at']).default('created_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
  search: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= SEARCH_BYTES, `must have at most ${SEARCH_BYTES} bytes`)
    .default('')
    .describe('part of the name or of a keyword, in any letter case'),
})

export const JobList = z.object({ jobs: z.array(Job), ...PageFields }).meta({ id: 'JobList' })

export const CreatedJob = z.object({ id: z.uuid() }).meta({ id: 'CreatedJob' })
