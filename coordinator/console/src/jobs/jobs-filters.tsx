import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import { useEffect, useState } from 'react'
import { useFilters } from '../parts/search-params.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import { statusTexts } from '../texts/status.ts'

const SEARCH_AFTER_MS = 400

const SORTS = {
  'created_at:desc': { sort: 'created_at', order: 'desc' },
  'created_at:asc': { sort: 'created_at', order: 'asc' },
  'updated_at:desc': { sort: 'updated_at', order: 'desc' },
  'name:asc': { sort: 'name', order: 'asc' },
  'status:asc': { sort: 'status', order: 'asc' },
} as const

const FIRST = 'created_at:desc'

const sortName = (params: URLSearchParams): keyof typeof SORTS => {
  const sort = params.get('sort') ?? FIRST
  return Object.hasOwn(SORTS, sort) ? (sort as keyof typeof SORTS) : FIRST
}

/** Returns the status filter in the page's URL; undefined means all. */
export const statusIn = (params: URLSearchParams): JobStatus | undefined =>
  JOB_STATUSES.find((status) => status === params.get('status'))

/** Returns the sort order in the page's URL. */
export const sortIn = (params: URLSearchParams) => SORTS[sortName(params)]

/** Search, status and sort order of the job list. The page's URL holds them. */
export function JobsFilters() {
  const t = useTexts(jobsTexts)
  const { states } = useTexts(statusTexts)
  const { params, set } = useFilters()
  const applied = params.get('search') ?? ''
  const [search, setSearch] = useState(applied)
  useEffect(() => setSearch(applied), [applied])
  const apply = useDebouncedCallback((text: string) => set({ search: text, page: undefined }, true), SEARCH_AFTER_MS)
  return (
    <Group align="flex-end" gap="sm" role="search">
      <TextInput
        type="search"
        label={t.search}
        placeholder={t.searchHint}
        value={search}
        maxLength={100}
        className="grows"
        onChange={({ currentTarget: { value } }) => {
          setSearch(value)
          apply(value)
        }}
      />
      <NativeSelect
        label={t.status}
        value={statusIn(params) ?? ''}
        data={[
          { value: '', label: t.anyStatus },
          ...JOB_STATUSES.map((value) => ({ value, label: states[value] ?? value })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ status: value, page: undefined })}
      />
      <NativeSelect
        label={t.sort}
        value={sortName(params)}
        data={Object.entries(t.sorts).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => set({ sort: value === FIRST ? undefined : value, page: undefined })}
      />
    </Group>
  )
}
