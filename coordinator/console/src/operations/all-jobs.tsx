import { Anchor, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { count, creditsInColumn } from '../parts/formats.ts'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { allJobsTexts } from '../texts/all-jobs.ts'
import { commonTexts } from '../texts/common.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { allJobsQuery } from './operation-queries.ts'

/** Pages of a list whose length nobody counts. */
function NextPager({ page, hasMore, onChange }: { page: number; hasMore: boolean; onChange(page: number): void }) {
  const t = useTexts(commonTexts)
  if (page === 1 && !hasMore) return null
  return (
    <Group justify="flex-end" gap="xs">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => onChange(page - 1)}>
        {t.previous}
      </Button>
      <Button size="xs" variant="default" disabled={!hasMore} onClick={() => onChange(page + 1)}>
        {t.next}
      </Button>
    </Group>
  )
}

/** The jobs of all users, newest first. */
export function AllJobs() {
  const t = useTexts(allJobsTexts)
  const { params, set } = useFilters()
  const status = JOB_STATUSES.find((one) => one === params.get('status'))
  const user = params.get('search') ?? ''
  const page = pageIn(params)
  const jobs = useQuery(allJobsQuery({ page, ...(status && { status }), ...(user !== '' && { user }) }))
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <UserFilter key={user} value={user} onChange={(search) => set({ search, page: undefined })} />
        <NativeSelect
          size="xs"
          label={t.status}
          value={status ?? ''}
          data={[{ value: '', label: t.anyStatus }, ...JOB_STATUSES]}
          onChange={({ currentTarget: { value } }) => set({ status: value, page: undefined })}
        />
      </Group>
      <WithData query={jobs}>
        {(data) => (
          <>
            <JobsTable jobs={data.jobs} />
            <NextPager page={page} hasMore={data.has_more} onChange={(to) => set({ page: String(to) })} />
          </>
        )}
      </WithData>
    </Stack>
  )
}

/** Finds the jobs of one user. An email that is not complete finds nobody, so it is sent with Enter. */
function UserFilter({ value, onChange }: { value: string; onChange(user: string): void }) {
  const t = useTexts(allJobsTexts)
  const [text, setText] = useState(value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onChange(text.trim())
      }}
    >
      <TextInput
        size="xs"
        type="search"
        label={t.user}
        description={t.userHint}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  )
}

function JobsTable({ jobs }: { jobs: readonly Schemas['AnyJob'][] }) {
  const t = useTexts(allJobsTexts)
  const { language } = useLanguage()
  const columns: Column<Schemas['AnyJob']>[] = [
    {
      title: t.job,
      breakable: true,
      cell: (job) => (
        <>
          <Anchor component={Link} href={`/operations/jobs/${job.id}`} fw={600}>
            {job.name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {job.email ?? job.user_id}
          </Text>
        </>
      ),
    },
    { title: t.status, cell: (job) => <StatusBadge status={job.status} /> },
    { title: t.places, figures: true, cell: (job) => count(job.result_count, language) },
    { title: t.credits, figures: true, from: 'sm', cell: (job) => creditsInColumn(job.total_cost, language) },
    { title: t.created, from: 'sm', cell: (job) => <Time at={job.created_at} /> },
  ]
  return (
    <DataTable
      label={t.title}
      rows={jobs}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title={t.none} hint={t.noneHint} />}
    />
  )
}
