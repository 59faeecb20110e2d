import { Alert, Anchor, Button, Checkbox, Group, Paper, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { ApiFailure, answered, api, type Schemas } from '../api/client.ts'
import { JOBS_KEY, type Job, requestOfJob } from '../jobs/job-queries.ts'
import { Empty, Failure, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { useTexts } from '../texts/language.tsx'
import { monitorsTexts } from '../texts/monitors.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { MONITORS_KEY } from './monitor-queries.ts'
import { newSchedule, ownTimezone, type ScheduleDraft, scheduleOf } from './schedule.ts'
import { ScheduleFields } from './schedule-fields.tsx'

/** Creates a monitor of the job with the id `?from=` in the URL. */
export default function NewMonitorPage() {
  const t = useTexts(monitorsTexts)
  const [params] = useSearchParams()
  const from = params.get('from') ?? ''
  const job = useQuery({
    queryKey: [...JOBS_KEY, from],
    queryFn: () => answered(api.GET('/api/v1/jobs/{id}', { params: { path: { id: from } } })),
    enabled: from !== '',
  })
  return (
    <Page title={t.newTitle} lead={t.lead}>
      {from === '' ? (
        <Empty title={t.noJob} hint={t.noneHint} />
      ) : (
        <WithData query={job}>{(data) => <NewMonitorForm job={data} />}</WithData>
      )}
    </Page>
  )
}

type MonitorDraft = { name: string; only_new: boolean; watch_ratings: boolean; proxies: string }

function NewMonitorForm({ job }: { job: Job }) {
  const t = useTexts(monitorsTexts)
  const [schedule, setSchedule] = useState(newSchedule)
  const [draft, setDraft] = useState<MonitorDraft>({
    name: job.name,
    only_new: job.data.only_new ?? false,
    watch_ratings: false,
    proxies: '',
  })
  const { create, errorOf } = useCreateMonitor(job)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending) create.mutate({ draft, schedule })
  }
  const unplaced = create.error !== null && !(create.error instanceof ApiFailure && create.error.body.details)
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate maw={720}>
      <Stack gap="md">
        <Text>
          {t.fromJob}{' '}
          <Anchor component={Link} href={`/jobs/${job.id}`} underline="always" className="breakable">
            {job.name}
          </Anchor>{' '}
          ({job.data.keywords.join(', ')})
        </Text>
        <TextInput
          label={t.name}
          value={draft.name}
          maxLength={200}
          error={errorOf('name')}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
        />
        <ScheduleFields draft={schedule} error={errorOf('schedule')} onChange={setSchedule} />
        <WhatToReport draft={draft} onChange={setDraft} />
        {job.data.proxy_count > 0 && (
          <Proxies draft={draft} error={errorOf('job.proxies') ?? errorOf('proxies')} onChange={setDraft} />
        )}
        <Alert color="gray" variant="light">
          {t.billed}
        </Alert>
        {unplaced && <Failure error={create.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

/** Creates the monitor and shows it. Returns the API's errors by field. */
function useCreateMonitor(job: Job) {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: ({ draft, schedule }: { draft: MonitorDraft; schedule: ScheduleDraft }) =>
      answered(api.POST('/api/v1/monitors', { body: monitorOf(job, draft, schedule) })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: MONITORS_KEY })
      navigate(`/monitors/${id}`)
    },
  })
  const errorOf = (field: string) => (create.error instanceof ApiFailure ? create.error.detailOf(field) : undefined)
  return { create, errorOf }
}

/** Returns the body that creates the monitor. */
function monitorOf(
  job: Job,
  { name, only_new, watch_ratings, proxies }: MonitorDraft,
  schedule: ScheduleDraft,
): Schemas['CreateMonitorRequest'] {
  const { recheck_after, ...request } = requestOfJob(job)
  const urls = proxies.split(/\s+/).filter((url) => url !== '')
  return {
    name,
    watch_ratings,
    schedule: scheduleOf(schedule, ownTimezone()),
    job: {
      ...request,
      only_new,
      ...(only_new && recheck_after !== undefined && { recheck_after }),
      ...(urls.length > 0 && { proxies: urls }),
    },
  }
}

type PartProps = { draft: MonitorDraft; error?: string | undefined; onChange(draft: MonitorDraft): void }

function WhatToReport({ draft, onChange }: PartProps) {
  const t = useTexts(monitorsTexts)
  return (
    <>
      <Checkbox
        label={t.onlyNew}
        description={t.onlyNewHint}
        checked={draft.only_new}
        onChange={({ currentTarget: { checked } }) => onChange({ ...draft, only_new: checked })}
      />
      <Checkbox
        label={t.ratings}
        checked={draft.watch_ratings}
        onChange={({ currentTarget: { checked } }) => onChange({ ...draft, watch_ratings: checked })}
      />
    </>
  )
}

/** The proxies of the job, which the API never shows. */
function Proxies({ draft, error, onChange }: PartProps) {
  const t = useTexts(newJobTexts)
  return (
    <Textarea
      label={t.proxies}
      description={t.proxiesAgain}
      value={draft.proxies}
      minRows={2}
      spellCheck={false}
      autoComplete="off"
      error={error}
      onChange={({ currentTarget: { value } }) => onChange({ ...draft, proxies: value })}
    />
  )
}
