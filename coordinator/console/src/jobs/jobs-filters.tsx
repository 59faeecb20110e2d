import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import { useEffect, useState } from 'react'
import { useFilters } from '../parts/search-params.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import { statusTexts } from '../texts/status.ts'

const SEARCH_AFTER_MS = 400

/** Returns the status filter in the page's URL; undefined means all. */
export const statusIn = (params: URLSearchParams): JobStatus | undefined =>
  JOB_STATUSES.find((status) => status === params.get('status'))

/** Search and status of the job list. The page's URL holds them. */
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
    </Group>
  )
}
