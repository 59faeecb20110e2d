import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useAction } from '../parts/use-action.ts'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { retryFailedSince, WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

const DAYS = { day: 1, week: 7, month: 30 } as const
type Since = keyof typeof DAYS | 'time'

/** Retries all deliveries that failed in a period. */
export function RetryFailed({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const [since, setSince] = useState<Since>('day')
  const [time, setTime] = useState('')
  const begin = since === 'time' ? new Date(time) : new Date(Date.now() - DAYS[since] * 86_400_000)
  const retry = useAction(() => retryFailedSince(webhook.id, begin), WEBHOOKS_KEY)
  const notify = (sent: number) => notifications.show({ message: sent === 0 ? t.noneFailed : t.retried(sent) })
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t.retrySince}
        value={since}
        data={(['day', 'week', 'month', 'time'] as const).map((value) => ({ value, label: t.since[value] }))}
        onChange={({ currentTarget: { value } }) => setSince(value as Since)}
      />
      {since === 'time' && (
        <TextInput
          size="xs"
          type="datetime-local"
          aria-label={t.sinceTime}
          value={time}
          onChange={({ currentTarget: { value } }) => setTime(value)}
        />
      )}
      <Button
        size="xs"
        variant="default"
        disabled={Number.isNaN(begin.getTime())}
        loading={retry.isPending}
        onClick={() => retry.mutate(undefined, { onSuccess: notify })}
      >
        {t.retryAll}
      </Button>
    </Group>
  )
}
