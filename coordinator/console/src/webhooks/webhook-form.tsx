import { Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import type { FormEvent, ReactNode } from 'react'
import { CodeBlock } from '../parts/code-block.tsx'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'

type EventTypesProps = {
  value: readonly WebhookEvent[]
  error: string | undefined
  onChange(types: WebhookEvent[]): void
}

/** The choice of the events that a webhook receives. */
function EventTypes({ value, error, onChange }: EventTypesProps) {
  const t = useTexts(webhooksTexts)
  return (
    <Checkbox.Group
      label={t.eventTypes}
      description={t.eventTypesHint}
      error={error}
      value={[...value]}
      onChange={(chosen) => onChange(WEBHOOK_EVENTS.filter((type) => chosen.includes(type)))}
    >
      <Group gap="md" mt={6}>
        {WEBHOOK_EVENTS.map((type) => (
          <Checkbox key={type} value={type} label={type} aria-invalid={error !== undefined} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

export type WebhookFields = { name: string; url: string; event_types: WebhookEvent[] }

/** The fields of the API that the form shows. */
const FIELDS = { name: ['name'], url: ['url'], event_types: ['event_types'] } as const

type WebhookFormProps = {
  fields: WebhookFields
  /** The form as it was sent, and why the API refused it. */
  sent: { error: unknown; variables: WebhookFields | undefined }
  onChange(fields: WebhookFields): void
  onSubmit(): void
  /** What stands above the fields, and the buttons below them. */
  above?: ReactNode
  buttons: ReactNode
}

/** The fields of a new or an existing webhook. */
export function WebhookForm({ fields, sent, onChange, onSubmit, above, buttons }: WebhookFormProps) {
  const t = useTexts(webhooksTexts)
  const faults = useFaults(sent, fields, FIELDS, t.faults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        {above}
        <TextInput
          label={t.name}
          withAsterisk
          data-autofocus
          description={t.nameHint}
          maxLength={100}
          value={fields.name}
          error={faults.of('name')}
          onChange={({ currentTarget: { value } }) => onChange({ ...fields, name: value })}
        />
        <TextInput
          type="url"
          label={t.url}
          withAsterisk
          description={t.urlHint}
          maxLength={2_048}
          value={fields.url}
          error={faults.of('url')}
          onChange={({ currentTarget: { value } }) => onChange({ ...fields, url: value })}
        />
        <EventTypes
          value={fields.event_types}
          error={faults.of('event_types')}
          onChange={(event_types) => onChange({ ...fields, event_types })}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">{buttons}</Group>
      </Stack>
    </form>
  )
}

/** Shows a new signing secret, which is visible only once. */
export function NewSecret({ secret, onClose }: { secret: string | undefined; onClose(): void }) {
  const t = useTexts(webhooksTexts)
  return (
    <SecretDialog
      opened={secret !== undefined}
      title={t.secretTitle}
      hint={t.secretHint}
      done={t.done}
      onClose={onClose}
    >
      <CodeBlock label={t.secret}>{secret ?? ''}</CodeBlock>
    </SecretDialog>
  )
}
