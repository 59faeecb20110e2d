import { Button, Group, Paper, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, unwrap } from '../api/client.ts'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { useDraft } from '../parts/draft.ts'
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
  const { draft, change, conflicts, reset } = useDraft({ event_types })
  const save = useMutation({
    mutationFn: (body: { event_types: WebhookEvent[] }) =>
      unwrap(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id } }, body })),
    onSuccess: async () => {
      notifications.show({ message: t.eventTypesSaved })
      await queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      reset()
    },
  })
  const faults = useFaults(save, draft, FIELDS, t.faults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <ConflictNotice conflicts={conflicts} onReset={reset} />
        <EventTypes
          value={draft.event_types}
          error={faults.of('event_types')}
          onChange={(event_types) => change({ event_types })}
        />
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
