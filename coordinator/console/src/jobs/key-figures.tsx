import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Figure } from '../parts/figure.tsx'
import { count } from '../parts/number-format.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { figuresQuery } from './job-queries.ts'

/** Three key figures of all jobs. */
export function KeyFigures() {
  const t = useTexts(jobsTexts)
  const { language } = useLanguage()
  const { data } = useQuery(figuresQuery)
  const shown = (value: number | undefined) => (value === undefined ? '–' : count(value, language))
  return (
    <SimpleGrid cols={{ base: 3 }} spacing="sm">
      <Figure label={t.activeNow} value={shown(data?.kpi.active_jobs)} />
      <Figure label={t.jobsToday} value={shown(data?.kpi.jobs_today)} />
      <Figure label={t.placesInAll} value={shown(data?.kpi.places_scraped_total)} />
    </SimpleGrid>
  )
}
