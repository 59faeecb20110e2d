import { Coverage } from '@placefleet/shared/coverage'
import { z } from 'zod'

const count = z.int().min(0)

const certificateExample = {
  coverage: 'audited' as const,
  cells: { searched: 21, cut: 5, blocked: 0, unsearched: 0 },
  found: 412,
  estimate: {
    total: 416,
    low: 413,
    high: 424,
    confidence: 0.95 as const,
    method: 'log-linear capture-recapture, log-normal interval; 8 of 16 cells searched again',
  },
}

export const CoverageCertificate = z
  .object({
    coverage: Coverage.describe('what the job records'),
    cells: z
      .object({
        searched: count.describe('searches of parts of the area that were answered, over all keywords'),
        cut: count.describe('those of them that hit the limit of a search; their parts were searched next'),
        blocked: count.describe('parts that the map site did not answer for'),
        unsearched: count.describe('parts that were not searched, because the job ended before'),
        smallest_cut_metres: z
          .number()
          .optional()
          .describe('height of the smallest part that is still cut; absent when every cut part was searched further'),
      })
      .describe('parts of the area'),
    found: count.describe('places stored'),
    estimate: z
      .object({
        total: count.describe('likely number of places that searches of the area can list, found or not'),
        low: count,
        high: count.describe('the total is between `low` and `high` in 95 of 100 cases'),
        confidence: z.literal(0.95),
        method: z.string(),
      })
      .optional()
      .describe(
        'only of an ended job that exhausted its area, or with `coverage: audited` whose audit was answered; not when it ended at `max_results` in fast mode or with a filter',
      ),
  })
  .meta({
    id: 'CoverageCertificate',
    description:
      'How completely a job searched its area. It cannot see places that the map site hides from every signed-out search (its limited view). The site says that it hides some only on pages in Chromium: then the search counts as `limited`. Over plain HTTP it does not say so.',
    examples: [certificateExample],
  })
export type CoverageCertificate = z.infer<typeof CoverageCertificate>

const position = z.array(z.number())

const cellExample = {
  type: 'Feature' as const,
  geometry: {
    type: 'Polygon' as const,
    coordinates: [
      [
        [33.03, 34.67],
        [33.04, 34.67],
        [33.04, 34.68],
        [33.03, 34.68],
        [33.03, 34.67],
      ],
    ],
  },
  properties: { keyword: 'dentist', state: 'searched' as const, places: 48, metres: 1_112, divided: false },
}

/** The cells of a job as GeoJSON (RFC 7946). */
export const CoverageCells = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        geometry: z
          .object({ type: z.literal('Polygon'), coordinates: z.array(z.array(position)) })
          .nullable()
          .describe('null for a search without an area'),
        properties: z.object({
          keyword: z.string(),
          state: z.enum(['searched', 'cut', 'blocked', 'unsearched']),
          places: count.describe('places of the cell that its search listed'),
          metres: z.number().optional().describe('height of the cell'),
          divided: z.boolean().describe('whether its quarters were searched as well'),
        }),
      }),
    ),
  })
  .meta({
    id: 'CoverageCells',
    description: 'The parts of the area that a job searched.',
    examples: [{ type: 'FeatureCollection', features: [cellExample] }],
  })
export type CoverageCells = z.infer<typeof CoverageCells>

export const CoverageQuery = z.strictObject({
  format: z
    .enum(['json', 'geojson'])
    .optional()
    .describe('`geojson`: the cells as polygons. Default: by the header `Accept`, else `json`'),
})
