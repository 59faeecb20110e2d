import { type Faults, useFaults } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { newJobTexts } from '../texts/new-job.ts'
import type { MonitorDraft } from './draft.ts'

/** The fields of the API that the form shows. */
const FIELDS = {
  name: ['name'],
  'schedule.cron': ['schedule'],
  'schedule.every': ['schedule'],
  ends_at: ['ends'],
  jitter_seconds: ['jitter_seconds'],
} as const

/** The fields of the job that the form shows. A fault of one lasts until the job is changed. */
const JOB_FIELDS = [
  'keywords',
  'places',
  'language',
  'max_results',
  'lat',
  'lon',
  'radius',
  'exhaust',
  'max_cost',
  'max_reviews',
  'reviews_since',
  'categories',
  'min_rating',
  'min_review_count',
  'max_images',
  'depth',
  'max_time',
  'proxies',
] as const

const ALL_FIELDS: Readonly<Record<string, readonly (keyof MonitorDraft)[]>> = Object.fromEntries([
  ...Object.entries(FIELDS),
  ...JOB_FIELDS.map((field) => [`job.${field}`, ['job']]),
])

/** A form of a monitor as it was sent, and why the API refused it. */
export type SentMonitor = { error: unknown; variables: MonitorDraft | undefined }

/**
 * Returns what is wrong with the form of a monitor. The fields of its job have the names of the API: `job.keywords`.
 */
export function useMonitorFaults(sent: SentMonitor, draft: MonitorDraft): Faults {
  const t = useTexts(monitorsTexts)
  const jobTexts = useTexts(newJobTexts)
  const texts: Record<string, string> = {
    ...t.faults,
    ...Object.fromEntries(JOB_FIELDS.map((field) => [`job.${field}`, jobTexts.faults[field]])),
  }
  return useFaults(sent, draft, ALL_FIELDS, texts)
}
