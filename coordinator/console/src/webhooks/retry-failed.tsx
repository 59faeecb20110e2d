import { Button, Group, NativeSelect } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useAction } from '../parts/use-action.ts'
import { useTexts } from '../texts/language.tsx'
import { webhooksTexts } from '../texts/webhooks.ts'
import { askDeliveries, retryDelivery, WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

const DAYS = { day: 1, week: 7, month: 30 } as const
type Since = keyof typeof DAYS

/** Below the rate limit of a session, with room for what the page itself asks. */
const PAUSE_MS = 400

/** Sends everything that failed in a span of time once more, one after the other. */
export function RetryFailed({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const [since, setSince] = useState<Since>('day')
  const retry = useAction(() => retryFailedSince(webhook.id, Date.now() - DAYS[since] * 86_400_000), WEBHOOKS_KEY)
  const told = (sent: number) => notifications.show({ message: sent === 0 ? t.noneFailed : t.retried(sent) })
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t.retrySince}
        value={since}
        data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: t.since[value] }))}
        onChange={({ currentTarget: { value } }) => setSince(value as Since)}
      />
      <Button
        size="xs"
        variant="default"
        loading={retry.isPending}
        onClick={() => retry.mutate(undefined, { onSuccess: told })}
      >
        {t.retryAll}
      </Button>
    </Group>
  )
}

/** How many deliveries were sent again. The list is read to its end first, for a retry does not move a delivery in it. */
async function retryFailedSince(id: string, since: number): Promise<number> {
  const failed: string[] = []
  for (let page = 1; ; page++) {
    const { deliveries, has_more } = await askDeliveries(id, page, 100)
    const recent = deliveries.filter(({ created_at }) => Date.parse(created_at) >= since)
    failed.push(...recent.filter(({ status }) => status === 'failed').map((delivery) => delivery.id))
    if (!has_more || recent.length < deliveries.length) break
  }
  for (const delivery_id of failed) {
    await retryDelivery(id, delivery_id)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return failed.length
}
