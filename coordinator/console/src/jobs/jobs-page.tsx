import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Pager } from '../parts/data-table.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { count } from '../parts/formats.ts'
import { Figure, Page } from '../parts/page.tsx'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { useHiddenJobs } from './deletions.ts'
import { FirstSteps } from './first-steps.tsx'
import { figuresQuery, type Job, jobsQuery } from './job-queries.ts'
import { isActive, nextOrder, orderIn } from './job-rules.ts'
import { JobsFilters, statusIn } from './jobs-filters.tsx'
import { JobsTable, type SortedBy } from './jobs-table.tsx'

/** Three key figures of all jobs. */
function KeyFigures() {
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

const LIMIT = 25

/** A page of the user's jobs. It refreshes while a job is active. */
export default function JobsPage() {
  const t = useTexts(jobsTexts)
  const { params, set } = useFilters()
  const search = params.get('search') ?? ''
  const page = pageIn(params)
  const status = statusIn(params)
  const order = orderIn(params)
  const isFiltered = search !== '' || status !== undefined
  const query = { page, limit: LIMIT, search, ...(status ? { status } : {}), ...order }
  const jobs = useQuery(jobsQuery(query))
  return (
    <Page
      title={t.title}
      actions={
        <Button component={Link} href="/jobs/new">
          {t.create}
        </Button>
      }
    >
      <WithData query={jobs}>
        {(data) =>
          data.total === 0 && !isFiltered ? (
            <FirstSteps />
          ) : (
            <>
              <Above demo={isFiltered ? undefined : onlyDemo(data)} />
              <Found
                list={data}
                search={search}
                byStatus={status !== undefined}
                order={order}
                sortBy={(field) => set({ sort: nextOrder(order, field), page: undefined })}
                showAll={() => set({ search: undefined, status: undefined, page: undefined })}
              />
              <Pager page={page} limit={LIMIT} total={data.total} onChange={(to) => set({ page: String(to) })} />
            </>
          )
        }
      </WithData>
    </Page>
  )
}

/** Returns the demo job of a user who has no other job yet. */
const onlyDemo = ({ total, jobs }: Schemas['JobList']): Job | undefined =>
  total === 1 ? jobs.find((job) => job.data.demo) : undefined

/** What stands above the list: the figures and the filters, or the next steps while the demo is the only job. */
const Above = ({ demo }: { demo: Job | undefined }) =>
  demo ? (
    <FirstSteps demo={demo} />
  ) : (
    <>
      <KeyFigures />
      <JobsFilters />
    </>
  )

type FoundProps = SortedBy & { list: Schemas['JobList']; search: string; byStatus: boolean; showAll(): void }

function Found({ list, search, byStatus, order, sortBy, showAll }: FoundProps) {
  const t = useTexts(jobsTexts)
  const hidden = useHiddenJobs()
  if (list.jobs.length === 0) {
    return <Empty title={t.noMatch} hint={t.noMatchHint} action={<Button onClick={showAll}>{t.showAll}</Button>} />
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" aria-live="polite">
          {t.found(list.total)}
        </Text>
        {!list.jobs.every(isActive) && (
          <ExportMenu
            size="xs"
            label={search === '' ? t.exportAll : t.exportFound}
            hint={`${search === '' ? t.exportOfAll : t.exportOfFound}${byStatus ? ` ${t.exportOfAnyStatus}` : ''}`}
            path="/api/v1/results/download"
            query={search === '' ? {} : { search }}
          />
        )}
      </Group>
      <JobsTable jobs={list.jobs.filter(({ id }) => !hidden.has(id))} order={order} sortBy={sortBy} />
    </Stack>
  )
}
