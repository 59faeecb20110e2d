import { Box, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useOpened } from '../parts/opened.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import type { Delivery } from './webhook-queries.ts'

type DeliveriesTableProps<Shown> = {
  deliveries: readonly Shown[]
  /** The text below the event of a delivery. */
  about?: (delivery: Shown) => string
  canRetry(delivery: Shown): boolean
  onRetry(delivery: Shown): void
}

/** A table of deliveries. Their details open beside it. */
export function DeliveriesTable<Shown extends Delivery>(props: DeliveriesTableProps<Shown>) {
  const t = useTexts(webhooksTexts)
  const [opened, setOpened] = useState<string>()
  const delivery = useOpened(props.deliveries, opened)
  return (
    <Box className="panel table-scroll">
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
          {props.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} {...props} delivery={delivery} onOpen={() => setOpened(delivery.id)} />
          ))}
        </Table.Tbody>
      </Table>
      <DeliveryDetails delivery={delivery} onClose={() => setOpened(undefined)} />
    </Box>
  )
}

type DeliveryRowProps<Shown> = Omit<DeliveriesTableProps<Shown>, 'deliveries'> & { delivery: Shown; onOpen(): void }

function DeliveryRow<Shown extends Delivery>(row: DeliveryRowProps<Shown>) {
  const { delivery, about, canRetry, onRetry, onOpen } = row
  const t = useTexts(webhooksTexts)
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {delivery.event_type}
        </Text>
        {about && (
          <Text size="xs" c="dimmed" className="breakable">
            {about(delivery)}
          </Text>
        )}
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
          <Button size="xs" variant="default" onClick={onOpen} aria-label={t.detailsOf(delivery.event_type)}>
            {t.details}
          </Button>
          {canRetry(delivery) && delivery.status !== 'pending' && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onRetry(delivery)}
              aria-label={t.retryOf(delivery.event_type)}
            >
              {t.retry}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
