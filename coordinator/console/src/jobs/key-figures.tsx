import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { count, Figure } from '../parts/figure.tsx'
import { jobsTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { JOBS_KEY } from './job-queries.ts'

/** Three key figures of all jobs. */
export function KeyFigures() {
  const t = useTexts(jobsTexts)
  const { language } = useLanguage()
  const { data } = useQuery({
    queryKey: [...JOBS_KEY, 'figures'],
    queryFn: () => unwrap(api.GET('/api/v1/dashboard', { params: { query: { limit: 1 } } })),
    refetchInterval: 10_000,
  })
  const shown = (value: number | undefined) => (value === undefined ? '–' : count(value, language))
  return (
    <SimpleGrid cols={{ base: 3 }} spacing="sm">
      <Figure label={t.activeNow} value={shown(data?.kpi.active_jobs)} />
      <Figure label={t.jobsToday} value={shown(data?.kpi.jobs_today)} />
      <Figure label={t.placesInAll} value={shown(data?.kpi.places_scraped_total)} />
    </SimpleGrid>
  )
}
