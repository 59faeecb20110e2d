import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { useDraft } from '../parts/draft.ts'
import { ConflictNotice } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { type WebhookFields, WebhookForm } from './webhook-form.tsx'
import { WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

/** Changes the name, the URL or the events of a webhook. Only what was changed is sent: a new URL counts as unverified. */
export function ChangeWebhook({
  webhook: { id, name, url, event_types },
  onDone,
}: {
  webhook: Webhook
  onDone(): void
}) {
  const t = useTexts(webhooksTexts)
  const queries = useQueryClient()
  const latest: WebhookFields = { name, url, event_types }
  const { draft, change, conflicts, reset } = useDraft(latest)
  const save = useMutation({
    mutationFn: (sent: WebhookFields) =>
      unwrap(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id } }, body: changesOf(latest, sent) })),
    onSuccess: async () => {
      notifications.show({ message: t.changesSaved })
      await queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
      onDone()
    },
  })
  return (
    <WebhookForm
      fields={draft}
      sent={save}
      onChange={change}
      onSubmit={() => save.mutate(draft)}
      above={<ConflictNotice conflicts={conflicts} onReset={reset} />}
      buttons={
        <Button type="submit" loading={save.isPending}>
          {t.save}
        </Button>
      }
    />
  )
}

function changesOf(latest: WebhookFields, { name, url, event_types }: WebhookFields): Schemas['ChangeWebhookRequest'] {
  return {
    ...(name !== latest.name && { name }),
    ...(url !== latest.url && { url }),
    ...(event_types.join() !== latest.event_types.join() && { event_types }),
  }
}
