import { Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyChunk } from '../parts/chunk.ts'
import { Loading, WithData } from '../parts/data-states.tsx'
import { Section } from '../parts/page.tsx'
import { useFilters } from '../parts/search-params.ts'
import { clockTime, fullTime } from '../parts/time-format.ts'
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
            nameOf={({ at }) => fullTime(at, language)}
          />
        )}
      </WithData>
    </Section>
  )
}

type ChartsProps = { work: readonly Work[]; nameOf(work: Work): string }

/** Places, and below them what the map site refused. The sentence says the sums. */
function Charts({ work, nameOf }: ChartsProps) {
  const t = useTexts(activityTexts)
  const { language } = useLanguage()
  const sum = (field: 'places' | 'visited' | 'blocked' | 'refused_tasks') =>
    work.reduce((total, one) => total + one[field], 0).toLocaleString(language)
  return (
    <>
      <Text size="sm">{t.sums(sum('places'), sum('blocked'), sum('visited'), sum('refused_tasks'))}</Text>
      <Suspense fallback={<Loading />}>
        <WorkChart label={t.places} work={work} nameOf={nameOf} series={['places']} />
        <WorkChart label={t.refusals} work={work} nameOf={nameOf} series={['blocked', 'refused_tasks']} />
      </Suspense>
    </>
  )
}

/** The work of an agent in the minutes of the last hour. */
export function AgentMinutes({ minutes }: { minutes: readonly Work[] }) {
  const { language } = useLanguage()
  const work = withoutGaps(minutes, { stepMs: 60_000, steps: 60, now: Date.now() })
  return <Charts work={work} nameOf={({ at }) => clockTime(at, language)} />
}
