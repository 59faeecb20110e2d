import { Badge, Group, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Schemas } from '../api/client.ts'
import { IDLE_POLL_MS } from '../api/queries.ts'
import { cellsQuery, coverageQuery, type Job } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { count } from '../parts/formats.ts'
import { coverageTexts } from '../texts/coverage.ts'
import { useLanguage, useTexts } from '../texts/language.ts'

type Certificate = Schemas['CoverageCertificate']

/** Returns whether a job records the parts of its area that it searched. */
export const hasParts = (job: Job): boolean => job.data.radius > 0 && job.data.coverage !== 'none'

/** Returns whether a job has ended that recorded its parts. */
export const hasCoverage = (job: Job): boolean => !isActive(job) && hasParts(job)

/** How completely an ended job searched its area, in a sentence or two. */
export function CoverageInWords({ job }: { job: Job }) {
  const { language } = useLanguage()
  const t = useTexts(coverageTexts)
  const certificate = useQuery({ ...coverageQuery(job.id), enabled: hasCoverage(job) })
  if (!certificate.data || !('cells' in certificate.data)) return null
  return <Text size="sm">{inWords(certificate.data, t, (number) => count(number, language)).join(' ')}</Text>
}

/** Reads the parts of the area that a job has searched so far, for the map. Parts that were divided are left out. */
export function useSearchedParts(job: Job, wanted: boolean): GeoJSON.FeatureCollection | undefined {
  const cells = useQuery({
    ...cellsQuery(job.id),
    enabled: wanted && hasParts(job),
    refetchInterval: isActive(job) ? IDLE_POLL_MS : false,
  })
  const { data } = cells
  return useMemo(() => {
    if (!wanted || !data || !('features' in data)) return undefined
    const features = data.features.flatMap(({ type, geometry, properties }) =>
      geometry === null || properties.divided ? [] : [{ type, geometry, properties }],
    )
    return { type: 'FeatureCollection', features }
  }, [wanted, data])
}

/** Describes a certificate of coverage: what was searched, what is missing, and how many places there likely are. */
function inWords(
  { cells, found, estimate }: Certificate,
  t: (typeof coverageTexts)['en'],
  number: (value: number) => string,
): string[] {
  const { searched, blocked, unsearched, smallest_cut_metres } = cells
  const gaps = [
    smallest_cut_metres !== undefined && t.cut(number(Math.round(smallest_cut_metres))),
    blocked > 0 && t.blocked(number(blocked)),
    unsearched > 0 && t.unsearched(number(unsearched)),
  ].filter((gap) => gap !== false)
  return [
    t.searched(number(searched)),
    ...(gaps.length === 0 ? [t.complete] : gaps),
    ...(estimate
      ? [t.estimate(number(found), number(estimate.total), number(estimate.low), number(estimate.high))]
      : []),
    t.hidden,
  ]
}

/** Shows or hides the searched parts on the map. */
export function PartsSwitch({ shown, onChange }: { shown: boolean; onChange(shown: boolean): void }) {
  const t = useTexts(coverageTexts)
  return (
    <Switch size="xs" label={t.show} checked={shown} onChange={({ currentTarget: { checked } }) => onChange(checked)} />
  )
}

const COLORS = { searched: 'cyan', cut: 'orange', blocked: 'red', unsearched: 'gray' } as const

/** The colours that the searched parts have on the map. */
export function PartsLegend() {
  const t = useTexts(coverageTexts)
  return (
    <Group gap="xs">
      {(['searched', 'cut', 'blocked', 'unsearched'] as const).map((state) => (
        <Badge key={state} variant="dot" color={COLORS[state]} tt="none" radius="sm">
          {t.states[state]}
        </Badge>
      ))}
    </Group>
  )
}
