import { Alert, Button, Checkbox, Group, NumberInput, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { detailOf } from '../api/client.ts'
import { ProxiesField } from '../new-job/proxies-field.tsx'
import { Failure } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.tsx'
import { monitorsTexts } from '../texts/monitors.ts'
import { newJobTexts } from '../texts/new-job.ts'
import type { MonitorDraft } from './draft.ts'
import { ExhaustFields } from './exhaust-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'

/** The fields that every monitor form shows. */
const SHOWN = ['name', 'schedule', 'ends_at', 'jitter_seconds', 'exhaust', 'max_cost']

/** The names of the field for proxies: of a new monitor, and of a job that is created at once. */
const PROXIES = ['job.proxies', 'proxies']

type PartProps = { draft: MonitorDraft; error: unknown; onChange(draft: MonitorDraft): void }

type MonitorFormProps = PartProps & {
  /** The text of the button. */
  action: string
  asksProxies: boolean
  pending: boolean
  /** Says that the form was sent. */
  done?: string | undefined
  onSubmit(): void
  /** What stands above the fields. */
  children?: ReactNode
}

/** The settings of a new or an existing monitor. An error of the API is shown at its field. */
export function MonitorForm({ action, asksProxies, pending, done, onSubmit, children, ...part }: MonitorFormProps) {
  const t = useTexts(monitorsTexts)
  const { draft, error, onChange } = part
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) onSubmit()
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate maw={720}>
      <Stack gap="md">
        {children}
        <TextInput
          label={t.name}
          value={draft.name}
          maxLength={200}
          error={detailOf(error, 'name')}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, name: value })}
        />
        <ScheduleFields
          draft={draft.schedule}
          error={detailOf(error, 'schedule')}
          onChange={(schedule) => onChange({ ...draft, schedule })}
        />
        <EndAndDelay {...part} />
        <WhatToReport {...part} />
        <ExhaustFields {...part} />
        {asksProxies && <Proxies {...part} />}
        <Alert color="gray" variant="light">
          {t.billed}
        </Alert>
        <Failure error={error} fields={asksProxies ? [...SHOWN, ...PROXIES] : SHOWN} />
        <Group justify="flex-end">
          <Text size="sm" c="dimmed" aria-live="polite">
            {done}
          </Text>
          <Button type="submit" loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function EndAndDelay({ draft, error, onChange }: PartProps) {
  const t = useTexts(monitorsTexts)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        type="datetime-local"
        label={t.ends}
        description={t.endsHint}
        value={draft.ends}
        error={detailOf(error, 'ends_at')}
        onChange={({ currentTarget: { value } }) => onChange({ ...draft, ends: value })}
      />
      <NumberInput
        label={t.jitter}
        description={t.jitterHint}
        value={draft.jitter_seconds}
        min={0}
        max={900}
        allowDecimal={false}
        allowNegative={false}
        error={detailOf(error, 'jitter_seconds')}
        onChange={(value) => onChange({ ...draft, jitter_seconds: typeof value === 'number' ? value : 0 })}
      />
    </SimpleGrid>
  )
}

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
    <ProxiesField
      description={t.proxiesAgain}
      value={draft.proxies}
      error={PROXIES.map((field) => detailOf(error, field)).find((fault) => fault !== undefined)}
      onChange={(proxies) => onChange({ ...draft, proxies })}
    />
  )
}
