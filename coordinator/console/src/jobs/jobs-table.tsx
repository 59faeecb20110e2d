import { ActionIcon, Anchor, Menu, Text } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { count, creditsInColumn } from '../parts/formats.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { jobTexts } from '../texts/job.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import type { Job } from './job-queries.ts'
import type { JobOrder } from './job-rules.ts'
import { isActive } from './job-rules.ts'
import { DemoBadge, JobProgress } from './job-state.tsx'
import { useJobActions } from './use-job-actions.tsx'

/** The actions of a job in the list. */
function JobMenu({ job }: { job: Job }) {
  const t = useTexts(jobsTexts)
  const actions = useJobActions(job)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(job.name)}>
          <span aria-hidden="true">⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isActive(job) && (
          <Menu.Item onClick={actions.cancel} disabled={job.status === 'aborting'}>
            {t.cancel}
          </Menu.Item>
        )}
        <Menu.Item onClick={actions.runAgain}>{t.runAgain}</Menu.Item>
        <Menu.Item color="red" onClick={actions.remove}>
          {t.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The order of a list of jobs, and what a click on a head asks for. */
export type SortedBy = { order: JobOrder; sortBy(field: string): void }

/** A table of jobs: name, status, places, cost, time. */
export function JobsTable({ jobs, order, sortBy }: SortedBy & { jobs: Job[] }) {
  const t = useTexts(jobsTexts)
  const jobText = useTexts(jobTexts)
  const { language } = useLanguage()
  const columns = useMemo<Column<Job>[]>(
    () => [
      { title: t.name, field: 'name', className: 'name-cell', cell: (job) => <Name job={job} /> },
      {
        title: t.status,
        field: 'status',
        cell: (job) => (
          <>
            <StatusBadge status={job.status} />
            {isActive(job) && <JobProgress job={job} />}
            <Text size="xs" c="dimmed" hiddenFrom="xs">
              {jobText.placesNow(job.result_count, count(job.result_count, language))}
            </Text>
          </>
        ),
      },
      {
        title: t.places,
        figures: true,
        from: 'xs',
        cell: (job) => (
          <>
            {count(job.result_count, language)}
            {isActive(job) && (
              <Text span size="xs" c="dimmed">
                {' '}
                / {count(job.data.max_results, language)}
              </Text>
            )}
          </>
        ),
      },
      { title: t.cost, figures: true, from: 'sm', cell: (job) => creditsInColumn(job.total_cost, language) },
      { title: t.created, field: 'created_at', from: 'md', cell: (job) => <Time at={job.created_at} /> },
      { title: t.actions, actions: true, cell: (job) => <JobMenu job={job} /> },
    ],
    [t, jobText, language],
  )
  const sorting = { now: { by: order.sort, descending: order.order === 'desc' }, sortBy }
  return <DataTable label={t.table} rows={jobs} columns={columns} keyOf={({ id }) => id} sorting={sorting} />
}

function Name({ job }: { job: Job }) {
  return (
    <>
      <Anchor component={Link} href={`/jobs/${job.id}`} fw={600} className="breakable">
        {job.name}
      </Anchor>
      <Text size="xs" c="dimmed" className="one-line">
        {job.data.keywords.join(', ')}
      </Text>
      {job.data.demo && <DemoBadge short />}
    </>
  )
}
