import { Readable } from 'node:stream'
import { z } from 'zod'
import { queryInteger } from '../http/params.ts'
import { MAX_IDS } from './upload.ts'

const timestamp = z.iso.datetime()

const knownPlaceExample = {
  place_key: '0x14e732fd76f0d90d:0xe5415928d6702b47',
  title: 'Kosher Bakery',
  city: 'Limassol',
  first_seen_at: '2026-03-02T09:19:12.000Z',
  last_seen_at: '2026-03-02T09:19:12.000Z',
  last_job_id: '4a1f6c1e-3b7d-4c0a-9a53-0d5d7f3c2b10',
  collected_at: '2026-03-02T09:19:12.000Z',
}

const KnownPlace = z
  .object({
    place_key: z
      .string()
      .describe('the id of the place; exports have it as `data_id`. `0x0:0x…` when only its CID was uploaded'),
    title: z.string().optional().describe('absent when no job stored it, or when the job that last did is deleted'),
    city: z.string().optional(),
    first_seen_at: timestamp,
    last_seen_at: timestamp,
    last_job_id: z.string().optional().describe('absent when no job saw it since it was uploaded'),
    collected_at: timestamp.describe('when a job last stored it, or when it was uploaded'),
  })
  .meta({ id: 'KnownPlace', description: 'A place that you have already.', examples: [knownPlaceExample] })

export const KnownPlaceList = z
  .object({ known_places: z.array(KnownPlace), has_more: z.boolean().describe('whether more places follow') })
  .meta({
    id: 'KnownPlaceList',
    description: 'Known places in the order of their keys.',
    examples: [{ known_places: [knownPlaceExample], has_more: false }],
  })

export const KnownPlaceQuery = z.strictObject({
  after: z.string().max(50).default('').meta({ description: 'the last `place_key` of the page before' }),
  limit: queryInteger({ min: 1, max: 1_000, fallback: 100, describe: 'places per page' }),
})

/** The body of `POST /api/v1/known-places`, read as it arrives. */
export const UploadBody = z
  .custom<Readable>(
    (body) => body instanceof Readable,
    'Send the file as `Content-Type: text/csv`; an XLSX file may be sent so, too.',
  )
  .meta({
    type: 'string',
    description:
      'an export of Placefleet or of another tool, or a list with one id in each row: a data id, place id, CID or link of the ' +
      `map site; at most ${MAX_IDS} rows. CSV with commas, semicolons or tabs, in UTF-8 or UTF-16, or XLSX`,
  })

export const UploadedPlaces = z
  .object({
    added: z.int().min(0).describe('places that were not known before'),
    already_known: z.int().min(0),
    unreadable: z.int().min(0).describe('rows without a readable id, or with a short link alone; they were skipped'),
  })
  .meta({
    id: 'UploadedPlaces',
    description: 'The result of an upload.',
    examples: [{ added: 980, already_known: 20, unreadable: 0 }],
  })
