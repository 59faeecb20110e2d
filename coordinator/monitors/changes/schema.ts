import { z } from 'zod'
import { optionalQueryInteger, queryInteger } from '../../http/params.ts'
import type { ChangeDocument } from './documents.ts'

const changeExample = {
  sequence: 17,
  type: 'changed' as const,
  place_key: '0x14e732fd76f0d90d:0xe5415928d6702b47',
  title: 'Dr. Demo',
  latitude: 34.6841,
  longitude: 33.0379,
  job_id: '4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10',
  seen_at: '2026-03-09T04:02:11.000Z',
  fields: { phone: { before: '+357 25 123456', after: '+357 25 654321' } },
}

export const Change = z
  .object({
    sequence: z.int().min(1).describe('1, 2, 3 … within the monitor'),
    type: z
      .enum(['new', 'changed', 'gone', 'back'])
      .describe(
        '`gone`: closed permanently, or no longer within the circle and filter of the job; `back`: found again after that',
      ),
    place_key: z
      .string()
      .describe(
        'the id of the place; exports have it as `data_id`. Begins with `erased:` once the operator erased the place',
      ),
    title: z.string().optional(),
    latitude: z.number().optional().describe('to four decimals, about 11 metres'),
    longitude: z.number().optional(),
    job_id: z.string().describe('the job of the run that saw it'),
    seen_at: z.iso.datetime(),
    fields: z
      .record(z.string(), z.object({ before: z.unknown().optional(), after: z.unknown().optional() }))
      .optional()
      .describe(
        'of `changed`: each changed field before and after; absent where the place had none. Of a place that is `gone` ' +
          'because it closed, or `back` because it is open again: `closed`',
      ),
  })
  .meta({ id: 'Change', description: 'What happened to a place.', examples: [changeExample] })
export type Change = z.infer<typeof Change>

export const ChangeList = z
  .object({ changes: z.array(Change), has_more: z.boolean().describe('whether more changes follow') })
  .meta({
    id: 'ChangeList',
    description: 'Changes in order.',
    examples: [{ changes: [changeExample], has_more: false }],
  })

export const ChangesQuery = z.strictObject({
  after: queryInteger({ min: 0, fallback: 0, describe: 'the `sequence` of the last change that you have' }),
  before: optionalQueryInteger({
    min: 1,
    describe: 'with `order=desc`: the `sequence` of the oldest change that you have',
  }),
  order: z.enum(['asc', 'desc']).default('asc').describe('`desc`: the newest first, continued with `before`'),
  since: z.iso.datetime().optional().meta({ description: 'only changes seen since this time' }),
  limit: queryInteger({ min: 1, max: 1_000, fallback: 100, describe: 'number of changes' }),
})

export function presentChange({ seen_at, ...change }: ChangeDocument): Change {
  const { sequence, type, place_key, title, latitude, longitude, job_id } = change
  const fields = change.type === 'new' ? undefined : change.fields
  return { sequence, type, place_key, title, latitude, longitude, job_id, seen_at: seen_at.toISOString(), fields }
}
