import { Alert, Button, Checkbox, Group, NumberInput, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ProxiesField } from '../new-job/proxies-field.tsx'
import { type Faults, FormFailure, useFaults } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { newJobTexts } from '../texts/new-job.ts'
import type { MonitorDraft } from './draft.ts'
import { ScheduleFields } from './schedule-fields.tsx'

/** The fields of the API that the form shows. */
const FIELDS = {
  name: ['name'],
  'schedule.cron': ['schedule'],
  'schedule.every': ['schedule'],
  ends_at: ['ends'],
  jitter_seconds: ['jitter_seconds'],
  'job.proxies': ['proxies'],
} as const

type PartProps = { draft: MonitorDraft; errorOf: Faults['of']; onChange(draft: MonitorDraft): void }

type MonitorFormProps = Omit<PartProps, 'errorOf'> & {
  /** The form as it was sent, and why the API refused it. */
  sent: { error: unknown; variables: MonitorDraft | undefined }
  /** The text of the button. */
  action: string
  asksProxies: boolean
  /** Whether its jobs collect from the simulated city. */
  isFree: boolean
  pending: boolean
  /** Says that the form was sent. */
  done?: string | undefined
  onSubmit(): void
  /** What stands above the fields. */
  children?: ReactNode
}

/** The settings of a new or an existing monitor. An error of the API is shown at its field. */
export function MonitorForm({
  action,
  asksProxies,
  isFree,
  pending,
  done,
  onSubmit,
  children,
  sent,
  draft,
  onChange,
}: MonitorFormProps) {
  const t = useTexts(monitorsTexts)
  const faults = useFaults(sent, draft, FIELDS, t.faults)
  const part = { draft, errorOf: faults.of, onChange }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!pending) onSubmit()
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate maw={720}>
      <Stack gap="md">
        {children}
        <TextInput
          label={t.name}
          withAsterisk
          value={draft.name}
          maxLength={200}
          error={faults.of('name')}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, name: value })}
        />
        <ScheduleFields
          draft={draft.schedule}
          errorOf={faults.of}
          onChange={(schedule) => onChange({ ...draft, schedule })}
        />
        <EndAndDelay {...part} />
        <WhatToReport {...part} />
        {asksProxies && <Proxies {...part} />}
        <Alert color="gray" variant="light">
          {isFree ? t.free : t.billed}
        </Alert>
        <FormFailure faults={faults} />
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

function EndAndDelay({ draft, errorOf, onChange }: PartProps) {
  const t = useTexts(monitorsTexts)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        type="datetime-local"
        label={t.ends}
        description={t.endsHint}
        value={draft.ends}
        error={errorOf('ends_at')}
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
        error={errorOf('jitter_seconds')}
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
function Proxies({ draft, errorOf, onChange }: PartProps) {
  const t = useTexts(newJobTexts)
  return (
    <ProxiesField
      description={t.proxiesAgain}
      value={draft.proxies}
      error={errorOf('job.proxies')}
      onChange={(proxies) => onChange({ ...draft, proxies })}
    />
  )
}
