import { Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyChunk } from '../parts/chunk.ts'
import { Loading, WithData } from '../parts/data-states.tsx'
import { clockTime, dayAndHour, fullTime, hourOf } from '../parts/formats.ts'
import { Section } from '../parts/page.tsx'
import { useFilters } from '../parts/search-params.ts'
import { activityTexts } from '../texts/activity.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { withoutGaps } from './activity-rules.ts'
import { fleetActivityQuery, type Work } from './fleet-queries.ts'

const WorkChart = lazyChunk(() => import('./work-chart.tsx'))

const HOUR_MS = 3_600_000
const HOURS = { day: 24, week: 168 } as const

/** Places and refusals of the map site by hours. */
export function FleetActivity() {
  const t = useTexts(activityTexts)
  const { language } = useLanguage()
  const { params, set } = useFilters()
  const span = params.get('span') === 'week' ? 'week' : 'day'
  return (
    <Section title={t.title}>
      <Group justify="flex-end">
        <SegmentedControl
          size="xs"
          aria-label={t.span}
          value={span}
          onChange={(value) => set({ span: value === 'day' ? undefined : value }, true)}
          data={(['day', 'week'] as const).map((value) => ({ value, label: t.spans[value] }))}
        />
      </Group>
      <WithData query={useQuery(fleetActivityQuery)}>
        {({ hours }) => (
          <Charts
            work={withoutGaps(hours, { stepMs: HOUR_MS, steps: HOURS[span], now: Date.now() })}
            shortName={(at) => (span === 'day' ? hourOf : dayAndHour)(at, language)}
          />
        )}
      </WithData>
    </Section>
  )
}

type ChartsProps = { work: readonly Work[]; shortName(at: string): string }

/** Places, and below them what the map site refused. The sentence says the sums; a chart without a bar is left out. */
function Charts({ work, shortName }: ChartsProps) {
  const t = useTexts(activityTexts)
  const { language } = useLanguage()
  const sum = (field: 'places' | 'visited' | 'blocked' | 'refused_tasks') =>
    work.reduce((total, one) => total + one[field], 0).toLocaleString(language)
  const charts = (
    [
      { label: t.places, series: ['places'] },
      { label: t.refusals, series: ['blocked', 'refused_tasks'] },
    ] as const
  ).filter(({ series }) => work.some((one) => series.some((field) => one[field] > 0)))
  return (
    <>
      <Text size="sm">{t.sums(sum('places'), sum('blocked'), sum('visited'), sum('refused_tasks'))}</Text>
      <Suspense fallback={<Loading />}>
        {charts.map(({ label, series }) => (
          <div key={label}>
            <Text size="sm" fw={600} mb="xs">
              {label}
            </Text>
            <WorkChart
              label={label}
              work={work}
              series={series}
              shortName={shortName}
              fullName={(at) => fullTime(at, language)}
            />
          </div>
        ))}
      </Suspense>
    </>
  )
}

/** The work of an agent in the minutes of the last hour. */
export function AgentMinutes({ minutes }: { minutes: readonly Work[] }) {
  const { language } = useLanguage()
  const work = withoutGaps(minutes, { stepMs: 60_000, steps: 60, now: Date.now() })
  return <Charts work={work} shortName={(at) => clockTime(at, language)} />
}
