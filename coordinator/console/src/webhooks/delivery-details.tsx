import { Anchor, Drawer, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { CodeBlock } from '../parts/code-block.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import type { Delivery } from './webhook-queries.ts'

/** One delivery: the request, and the response to each attempt. */
export function DeliveryDetails({ delivery, onClose }: { delivery: Delivery | undefined; onClose(): void }) {
  const t = useTexts(webhooksTexts)
  return (
    <Drawer
      opened={delivery !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={<Text fw={650}>{t.details}</Text>}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {delivery && <Details delivery={delivery} />}
    </Drawer>
  )
}

function Details({ delivery }: { delivery: Delivery }) {
  const t = useTexts(webhooksTexts)
  const headers = Object.entries(delivery.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  return (
    <Stack>
      <StatusBadge status={delivery.status} size="lg" />
      {delivery.job_id && (
        <Anchor component={Link} href={`/jobs/${delivery.job_id}`}>
          {t.job}
        </Anchor>
      )}
      <Title order={2} size="h4">
        {t.sent}
      </Title>
      <CodeBlock label={t.sent}>{[...headers, '', delivery.body].join('\n')}</CodeBlock>
      <Text size="sm" c="dimmed">
        {t.sign}
      </Text>
      <Title order={2} size="h4">
        {t.answered}
      </Title>
      {delivery.attempts.map(({ number, at, status_code, duration_ms, error, response_body }) => (
        <Paper key={number} withBorder p="sm">
          <Text size="sm" fw={600}>
            {t.attempt(number)} · <FullTime at={at} />
          </Text>
          <Text size="sm" className="figures">
            {status_code === undefined ? t.noAnswer : `HTTP ${status_code}`}
            {duration_ms !== undefined && ` · ${t.ms(duration_ms)}`}
          </Text>
          {response_body && <CodeBlock label={t.answerOf(number)}>{response_body}</CodeBlock>}
          {error && (
            <Text size="sm" c="dimmed" className="breakable">
              {error}
            </Text>
          )}
        </Paper>
      ))}
      {delivery.next_attempt_at && (
        <Text size="sm">
          {t.next}: <FullTime at={delivery.next_attempt_at} />
        </Text>
      )}
    </Stack>
  )
}
