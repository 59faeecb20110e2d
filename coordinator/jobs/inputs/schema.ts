import { MOST_PLACES } from '@placefleet/shared/job-limits'
import { MISSED_INPUT } from '@placefleet/shared/named-place'
import { z } from 'zod'
import { queryInteger } from '../../http/params.ts'

const inputExample = { input: 'ChIJDdnwdv0y5xQRRytw1ihZQeU', status: 'stored' as const, result_id: 1_042 }

export const JobInput = z
  .object({
    input: z.string().describe('an entry of `places`, as it was sent'),
    status: z
      .enum(['pending', 'stored', 'duplicate', ...MISSED_INPUT])
      .describe(
        '`duplicate`: another entry or a search brought the place; `not_found`: the map site has no such place; `filtered`: a filter or `only_new` dropped it; `blocked`: the map site refused it; `failed`: there was no usable answer, or the job ended first',
      ),
    result_id: z.int().min(1).optional().describe('the `id` of the stored place, also for a duplicate'),
  })
  .meta({ id: 'NamedPlace', description: 'What became of one of the named places.', examples: [inputExample] })
export type JobInput = z.infer<typeof JobInput>

export const JobInputList = z
  .object({
    inputs: z.array(JobInput),
    has_more: z.boolean().describe('whether more follow'),
    after: z.int().min(0).describe('send it as `after` for those that follow'),
  })
  .meta({
    id: 'NamedPlaceList',
    description: 'Named places in the order of the request.',
    examples: [{ inputs: [inputExample], has_more: false, after: 1 }],
  })

export type JobInputList = z.infer<typeof JobInputList>

export const JobInputsQuery = z.strictObject({
  after: queryInteger({ min: 0, fallback: 0, describe: 'how many of the named places to skip' }),
  limit: queryInteger({
    min: 1,
    max: MOST_PLACES,
    fallback: 100,
    describe: 'named places per page; a CSV file has all',
  }),
  format: z.enum(['json', 'csv']).default('json').describe('`csv`: the columns `input`, `status` and `result_id`'),
})
