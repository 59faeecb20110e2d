import { Alert, Button, Checkbox, Group, NumberInput, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { nameOf } from '../new-job/draft.ts'
import { type Faults, FormFailure } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { newJobTexts } from '../texts/new-job.ts'
import type { MonitorDraft } from './draft.ts'
import { JobFields, OnlyNew } from './job-fields.tsx'
import { type SentMonitor, useMonitorFaults } from './monitor-faults.ts'
import { ScheduleFields } from './schedule-fields.tsx'

type PartProps = { draft: MonitorDraft; errorOf: Faults['of']; onChange(draft: MonitorDraft): void }

type MonitorFormProps = Omit<PartProps, 'errorOf'> & {
  /** The form as it was sent, and why the API refused it. */
  sent: SentMonitor
  /** The text of the button. */
  action: string
  asksProxies: boolean
  /** Whether the user has to say what to search for. */
  isNew?: boolean
  /** Whether its jobs collect from the simulated city. */
  isFree: boolean
  pending: boolean
  /** Says that the form was sent. */
  done?: string | undefined
  onSubmit(): void
  /** What a run costs. */
  estimate?: ReactNode
  /** What stands above the fields. */
  children?: ReactNode
}

/** The settings of a new or an existing monitor. An error of the API is shown at its field. */
export function MonitorForm({
  action,
  asksProxies,
  isNew = false,
  isFree,
  pending,
  done,
  onSubmit,
  estimate,
  children,
  sent,
  draft,
  onChange,
}: MonitorFormProps) {
  const t = useTexts(monitorsTexts)
  const jobTexts = useTexts(newJobTexts)
  const faults = useMonitorFaults(sent, draft)
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
          withAsterisk={!isNew}
          placeholder={nameOf(draft.job)}
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
        <WhatToReport {...part} />
        <JobFields
          draft={draft.job}
          change={(changes) => onChange({ ...draft, job: { ...draft.job, ...changes } })}
          errorOf={(field) => faults.of(`job.${field}`)}
          isOpen={isNew || asksProxies}
        />
        <EndAndDelay {...part} />
        {asksProxies && <Alert color="yellow">{jobTexts.proxiesAgain}</Alert>}
        <Alert color="gray" variant="light">
          {isFree ? t.free : t.billed}
        </Alert>
        {estimate}
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
    <Paper withBorder component="details" className="more">
      <summary>{t.endAndDelay}</summary>
      <SimpleGrid cols={{ base: 1, xs: 2 }} pt="md">
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
    </Paper>
  )
}

function WhatToReport({ draft, onChange }: PartProps) {
  const t = useTexts(monitorsTexts)
  return (
    <>
      <OnlyNew draft={draft.job} change={(changes) => onChange({ ...draft, job: { ...draft.job, ...changes } })} />
      <Checkbox
        label={t.ratings}
        checked={draft.watch_ratings}
        onChange={({ currentTarget: { checked } }) => onChange({ ...draft, watch_ratings: checked })}
      />
    </>
  )
}
