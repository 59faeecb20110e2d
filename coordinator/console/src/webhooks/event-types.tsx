import { Checkbox, Group } from '@mantine/core'
import { WEBHOOK_EVENTS, type WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'

type EventTypesProps = {
  value: readonly WebhookEvent[]
  error: string | undefined
  onChange(types: WebhookEvent[]): void
}

/** The choice of the events that a webhook receives. */
export function EventTypes({ value, error, onChange }: EventTypesProps) {
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
