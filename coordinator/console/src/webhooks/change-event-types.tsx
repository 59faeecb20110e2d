import { Button, Group, Paper, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answered, api, detailOf } from '../api/client.ts'
import { Failure } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.tsx'
import { webhooksTexts } from '../texts/webhooks.ts'
import { EventTypes } from './event-types.tsx'
import { WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

/** Changes the events that a webhook receives. */
export function ChangeEventTypes({ webhook: { id, event_types } }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const queries = useQueryClient()
  const [types, setTypes] = useState(event_types)
  const save = useMutation({
    mutationFn: () =>
      answered(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id } }, body: { event_types: types } })),
    onSuccess: () => {
      notifications.show({ message: t.eventTypesSaved })
      return queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <EventTypes value={types} error={detailOf(save.error, 'event_types')} onChange={setTypes} />
        <Failure error={save.error} fields={['event_types']} />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={save.isPending}>
            {t.saveEventTypes}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
