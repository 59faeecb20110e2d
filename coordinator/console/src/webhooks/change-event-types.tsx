import { Button, Group, Paper, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { EventTypes } from './event-types.tsx'
import { WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

const FIELDS = { event_types: ['event_types'] } as const

/** Changes the events that a webhook receives. */
export function ChangeEventTypes({ webhook: { id, event_types } }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const queries = useQueryClient()
  const [types, setTypes] = useState(event_types)
  const save = useMutation({
    mutationFn: (body: { event_types: WebhookEvent[] }) =>
      unwrap(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id } }, body })),
    onSuccess: () => {
      notifications.show({ message: t.eventTypesSaved })
      return queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    },
  })
  const faults = useFaults(save, { event_types: types }, FIELDS, t.faults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ event_types: types })
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <EventTypes value={types} error={faults.of('event_types')} onChange={setTypes} />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={save.isPending}>
            {t.saveEventTypes}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
