import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { isRefusal } from '../api/errors.ts'
import { Failure } from '../parts/data-states.tsx'
import { count, credits, duration } from '../parts/formats.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { type Draft, hasArea, jobRequestOf } from './draft.ts'
import { estimateQuery } from './new-job-queries.ts'

/** The delay before an estimate, so that typing stays below the rate limit of a session. */
const ESTIMATE_AFTER_MS = 500

/** A range of times says something when its ends differ by these factors. */
const TELLING_RANGE = { narrowest: 2, widest: 20 } as const

/** The estimate of the job and the available credits. Follows the form. */
export function EstimatePanel({ draft }: { draft: Draft }) {
  const t = useTexts(newJobTexts)
  const body = costly(draft)
  const hasSubject = isSubject(body)
  const lacksArea = draft.exhaust && !hasArea(draft)
  const [settled] = useDebouncedValue(JSON.stringify(body), ESTIMATE_AFTER_MS)
  const isComplete = hasSubject && isSubject(JSON.parse(settled))
  const estimate = useQuery({ ...estimateQuery(settled), enabled: isComplete })
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.estimate}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t.estimate}
        </Title>
        {!hasSubject && <Text c="dimmed">{t.estimateLater}</Text>}
        {hasSubject && lacksArea && <Text c="dimmed">{t.areaFirst}</Text>}
        {hasSubject && !lacksArea && estimate.error && <NoEstimate error={estimate.error} />}
        {hasSubject && !lacksArea && estimate.data && <Estimate answer={estimate.data} />}
      </Stack>
    </Paper>
  )
}

/** Returns whether there is something to search for, or to collect without a search. */
const isSubject = ({ keywords, places }: { keywords?: string[] | undefined; places?: string[] | undefined }): boolean =>
  (keywords ?? places ?? []).length > 0

/** Returns the part of the request that affects the estimate, so that a change of the name requests none. */
function costly(draft: Draft) {
  const request = jobRequestOf(draft)
  const {
    keywords,
    places,
    language,
    depth,
    include_emails,
    max_images,
    max_reviews,
    max_results,
    max_cost,
    website_filter,
    exhaust,
  } = request
  const { only_new, recheck_after, lat, lon, radius, fast_mode, proxies } = request
  const { categories, min_rating, min_review_count, has_phone, exclude_closed } = request
  const filters = { categories, min_rating, min_review_count, has_phone, exclude_closed }
  const known = only_new ? { only_new, recheck_after, lat, lon } : {}
  return {
    name: '-', // a job has one; it costs nothing
    language,
    keywords,
    places,
    depth,
    include_emails,
    max_images,
    max_reviews,
    max_results,
    max_cost,
    website_filter,
    exhaust,
    radius,
    fast_mode,
    proxies,
    ...filters,
    ...known,
  }
}

/** Says why there is no estimate. What is wrong with a field is said at the field. */
function NoEstimate({ error }: { error: Error }) {
  const t = useTexts(newJobTexts)
  if (!isRefusal(error) || error.details.length === 0) return <Failure error={error} />
  return <Text c="dimmed">{t.noEstimate}</Text>
}

function Estimate({ answer: { estimate, balance } }: { answer: Schemas['EstimateAnswer'] }) {
  const t = useTexts(newJobTexts)
  const { language } = useLanguage()
  const number = (value: number) => count(value, language)
  const { low, likely, high } = estimate.seconds
  const parts = Object.entries(t.breakdown) as [keyof typeof estimate.breakdown, string][]
  return (
    <>
      <Text size="sm" aria-live="polite">
        {t.estimatePlaces(estimate.places, number(estimate.places_min), number(estimate.places_max))}
      </Text>
      {estimate.places_known !== undefined && estimate.places_known > 0 && (
        <Text size="sm" c="dimmed">
          {t.knownPlaces(estimate.places_known)}
        </Text>
      )}
      {estimate.places_within_max_cost !== undefined && (
        <Text size="sm" c="dimmed">
          {t.withinMaxCost(estimate.places_within_max_cost)}
        </Text>
      )}
      <Text size="sm">
        {t.takes(duration(likely, language))}{' '}
        {isTelling(low, high) && t.range(duration(low, language), duration(high, language))}
      </Text>
      <Text size="xs" c="dimmed">
        {t.takesAssumes(estimate.time_assumes.exits)}
      </Text>
      {estimate.fast_mode_seconds !== undefined && (
        <Text size="sm">{t.fastTakes(duration(estimate.fast_mode_seconds, language))}</Text>
      )}
      {parts.map(
        ([part, label]) =>
          estimate.breakdown[part] > 0 && (
            <Line key={part} label={label} value={credits(estimate.breakdown[part], language)} />
          ),
      )}
      <Line label={t.likely} value={t.inCredits(credits(estimate.total, language))} strong />
      {estimate.total_max > estimate.total && (
        <Line label={t.atMost} value={t.inCredits(credits(estimate.total_max, language))} />
      )}
      <Line label={t.available} value={t.inCredits(credits(balance.current, language))} />
      <Alert color={balance.sufficient ? 'green' : 'red'} variant="light" p="xs">
        {balance.sufficient ? t.sufficient : t.insufficient}
      </Alert>
    </>
  )
}

const isTelling = (low: number, high: number): boolean =>
  high >= TELLING_RANGE.narrowest * low && high <= TELLING_RANGE.widest * low

function Line({ label, value, strong = false }: { label: string; value: string; strong?: boolean }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="sm" {...(strong ? { fw: 650 } : { c: 'dimmed' })}>
        {label}
      </Text>
      <Text size={strong ? 'lg' : 'sm'} className="figures" {...(strong ? { fw: 650 } : {})}>
        {value}
      </Text>
    </Group>
  )
}
