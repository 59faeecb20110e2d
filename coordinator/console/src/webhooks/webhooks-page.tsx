import { Anchor, Button, Text } from '@mantine/core'
import { JOB_EVENTS } from '@placefleet/shared/webhooks/job-event'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { CreateDialog } from '../parts/create-dialog.tsx'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Page } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { EventCatalogue } from './event-catalogue.tsx'
import { NewSecret, type WebhookFields, WebhookForm } from './webhook-form.tsx'
import { useWebhooks, WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

/** The user's webhooks: register them, see their health. */
export default function WebhooksPage() {
  const t = useTexts(webhooksTexts)
  const webhooks = useWebhooks()
  const [secret, setSecret] = useState<string>()
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <CreateDialog label={t.newWebhook}>
          {(close) => (
            <Register
              onMade={(made) => {
                close()
                setSecret(made)
              }}
            />
          )}
        </CreateDialog>
      }
    >
      <WithData query={webhooks}>{(all) => <WebhooksTable webhooks={all} />}</WithData>
      <EventCatalogue />
      <NewSecret secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  )
}

const EMPTY: WebhookFields = { name: '', url: '', event_types: [...JOB_EVENTS] }

function Register({ onMade }: { onMade(secret: string): void }) {
  const t = useTexts(webhooksTexts)
  const queries = useQueryClient()
  const [fields, setFields] = useState(EMPTY)
  const register = useMutation({
    mutationFn: (body: WebhookFields) => unwrap(api.POST('/api/v1/webhooks', { body })),
    onSuccess: ({ secret }) => {
      onMade(secret)
      return queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    },
  })
  return (
    <WebhookForm
      fields={fields}
      sent={register}
      onChange={setFields}
      onSubmit={() => register.mutate(fields)}
      buttons={
        <Button type="submit" loading={register.isPending}>
          {t.register}
        </Button>
      }
    />
  )
}

function WebhooksTable({ webhooks }: { webhooks: Webhook[] }) {
  const t = useTexts(webhooksTexts)
  const sorted = webhooks.toSorted((one, other) => Number(Boolean(one.revoked_at)) - Number(Boolean(other.revoked_at)))
  const columns: Column<Webhook>[] = [
    {
      title: t.name,
      order: ({ name }) => name,
      breakable: true,
      cell: ({ id, name, url }) => (
        <>
          <Anchor component={Link} href={`/webhooks/${id}`} fw={600}>
            {name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {url}
          </Text>
        </>
      ),
    },
    {
      title: t.health,
      cell: ({ revoked_at, health_state }) => <StatusBadge status={revoked_at ? 'revoked' : health_state} />,
    },
    { title: t.verified, from: 'sm', cell: ({ verified_at }) => (verified_at ? <Time at={verified_at} /> : t.notYet) },
  ]
  return (
    <DataTable
      label={t.table}
      rows={sorted}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title={t.none} hint={t.noneHint} />}
    />
  )
}
