import { Box, Button, Group, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { POLL_MS } from '../api/queries.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Pager } from '../parts/pager.tsx'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { useTexts } from '../texts/language.tsx'
import { webhooksTexts } from '../texts/webhooks.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { RetryFailed } from './retry-failed.tsx'
import { askDeliveries, type Delivery, retryDelivery, WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

const LIMIT = 20

/** What was sent to a webhook, newest first, and what came of it. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { params, set } = useFilters()
  const page = pageIn(params)
  const [opened, setOpened] = useState<string>()
  const deliveries = useQuery({
    queryKey: [...WEBHOOKS_KEY, webhook.id, 'deliveries', page],
    queryFn: ({ signal }) => askDeliveries(webhook.id, page, LIMIT, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') ? POLL_MS : 10_000,
  })
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4">
          {t.deliveries}
        </Title>
        {!webhook.revoked_at && webhook.health_state !== 'disabled' && <RetryFailed webhook={webhook} />}
      </Group>
      <WithData query={deliveries}>
        {(data) =>
          data.total === 0 ? (
            <Empty title={t.noDeliveries} hint={t.noDeliveriesHint} />
          ) : (
            <>
              <DeliveriesTable webhook={webhook} deliveries={data.deliveries} onOpen={setOpened} />
              <Pager page={page} limit={LIMIT} total={data.total} onChange={(to) => set({ page: String(to) })} />
              <DeliveryDetails
                delivery={data.deliveries.find(({ id }) => id === opened)}
                onClose={() => setOpened(undefined)}
              />
            </>
          )
        }
      </WithData>
    </Stack>
  )
}

type DeliveriesTableProps = { webhook: Webhook; deliveries: Delivery[]; onOpen(id: string): void }

function DeliveriesTable({ webhook, deliveries, onOpen }: DeliveriesTableProps) {
  const t = useTexts(webhooksTexts)
  const retry = useAction((id: string) => retryDelivery(webhook.id, id), WEBHOOKS_KEY)
  const canRetry = !webhook.revoked_at && webhook.health_state !== 'disabled'
  return (
    <Box className="panel places-table">
      <Table verticalSpacing="xs" aria-label={t.deliveries}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.event}</Table.Th>
            <Table.Th>{t.state}</Table.Th>
            <Table.Th ta="right" visibleFrom="xs">
              {t.attempts}
            </Table.Th>
            <Table.Th visibleFrom="sm">{t.when}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Table.Tr key={delivery.id}>
              <Table.Td>
                <Text size="sm" ff="monospace">
                  {delivery.event_type}
                </Text>
              </Table.Td>
              <Table.Td>
                <StatusBadge status={delivery.status} />
              </Table.Td>
              <Table.Td ta="right" visibleFrom="xs">
                {delivery.attempt_count}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Time at={delivery.created_at} />
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end">
                  <Button size="xs" variant="default" onClick={() => onOpen(delivery.id)}>
                    {t.details}
                  </Button>
                  {canRetry && delivery.status !== 'pending' && (
                    <Button size="xs" variant="default" onClick={() => retry.mutate(delivery.id)}>
                      {t.retry}
                    </Button>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
