import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CreateDialog } from '../parts/create-dialog.tsx'
import { Empty, WithData } from '../parts/data-states.tsx'
import { fullTime } from '../parts/formats.ts'
import { Page } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { useAction } from '../parts/use-action.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { ChangeWebhook } from './change-webhook.tsx'
import { Deliveries } from './deliveries.tsx'
import { EventCatalogue } from './event-catalogue.tsx'
import { NewSecret } from './webhook-form.tsx'
import { useWebhooks, WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

/** One webhook: its health, its event types and its deliveries. */
export default function WebhookPage({ id }: { id: string }) {
  const shell = useTexts(shellTexts)
  const webhooks = useWebhooks()
  return (
    <WithData query={webhooks}>
      {(all) => {
        const webhook = all.find((one) => one.id === id)
        return webhook ? <WebhookView webhook={webhook} /> : <Empty title={shell.notFound} hint={shell.notFoundHint} />
      }}
    </WithData>
  )
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const active = webhook.revoked_at === undefined
  return (
    <Page
      title={webhook.name}
      lead={<span className="breakable">{webhook.url}</span>}
      actions={active && <Actions webhook={webhook} />}
    >
      <Anchor component={Link} href="/webhooks" size="sm">
        ← {t.all}
      </Anchor>
      <Group gap="sm">
        <StatusBadge status={active ? webhook.health_state : 'revoked'} size="lg" />
        {webhook.health_state === 'degraded' && <Text>{t.degraded(webhook.consecutive_failures)}</Text>}
      </Group>
      {active && webhook.health_state === 'disabled' && <Disabled webhook={webhook} />}
      <Deliveries webhook={webhook} />
      <EventCatalogue />
    </Page>
  )
}

function Disabled({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { language } = useLanguage()
  const reenable = useAction(
    () =>
      unwrap(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id: webhook.id } }, body: { reenable: true } })),
    WEBHOOKS_KEY,
  )
  const { disabled_at, disabled_reason } = webhook
  return (
    <Alert color="red" title={t.disabled(disabled_at ? fullTime(disabled_at, language) : '')}>
      <Stack gap="sm" align="flex-start">
        {disabled_reason && <Text size="sm">{t.reasons[disabled_reason]}</Text>}
        <Button size="xs" onClick={() => reenable.mutate(undefined)} loading={reenable.isPending}>
          {t.reenable}
        </Button>
      </Stack>
    </Alert>
  )
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { id, health_state } = webhook
  const t = useTexts(webhooksTexts)
  const [asked, setAsked] = useState<'rotate' | 'revoke'>()
  const [secret, setSecret] = useState<string>()
  const path = { params: { path: { id } } }
  const test = useAction(() => unwrap(api.POST('/api/v1/webhooks/{id}/test', path)), WEBHOOKS_KEY)
  const rotate = useAction(() => unwrap(api.POST('/api/v1/webhooks/{id}/rotate-secret', path)), WEBHOOKS_KEY)
  const revoke = useAction(() => unwrap(api.DELETE('/api/v1/webhooks/{id}', path)), WEBHOOKS_KEY)
  const close = () => setAsked(undefined)
  return (
    <>
      <Button
        onClick={() => test.mutate(undefined, { onSuccess: () => notifications.show({ message: t.testSent }) })}
        loading={test.isPending}
        disabled={health_state === 'disabled'}
      >
        {t.test}
      </Button>
      <CreateDialog label={t.edit} variant="default">
        {(done) => <ChangeWebhook webhook={webhook} onDone={done} />}
      </CreateDialog>
      <Button variant="default" onClick={() => setAsked('rotate')}>
        {t.rotate}
      </Button>
      <Button variant="default" onClick={() => setAsked('revoke')}>
        {t.revoke}
      </Button>
      <Confirm
        opened={asked === 'rotate'}
        title={t.rotateSure}
        hint={t.rotateHint}
        action={t.rotate}
        cancelLabel={t.keep}
        pending={rotate.isPending}
        onClose={close}
        onConfirm={() => rotate.mutate(undefined, { onSuccess: (made) => setSecret(made.secret), onSettled: close })}
      />
      <Confirm
        opened={asked === 'revoke'}
        title={t.revokeSure}
        hint={t.revokeHint}
        action={t.revoke}
        cancelLabel={t.keep}
        pending={revoke.isPending}
        onClose={close}
        onConfirm={() => revoke.mutate(undefined, { onSettled: close })}
      />
      <NewSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}
