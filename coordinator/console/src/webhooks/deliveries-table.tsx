import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { useOpened } from '../parts/rows.ts'
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
  const { deliveries, about, canRetry, onRetry } = props
  const t = useTexts(webhooksTexts)
  const [opened, setOpened] = useState<string>()
  const delivery = useOpened(deliveries, opened)
  const columns: Column<Shown>[] = [
    {
      title: t.event,
      cell: (one) => (
        <>
          <Text size="sm" ff="monospace">
            {one.event_type}
          </Text>
          {about && (
            <Text size="xs" c="dimmed" className="breakable">
              {about(one)}
            </Text>
          )}
        </>
      ),
    },
    { title: t.state, cell: (one) => <StatusBadge status={one.status} /> },
    { title: t.attempts, figures: true, from: 'xs', cell: (one) => one.attempt_count },
    { title: t.when, from: 'sm', cell: (one) => <Time at={one.created_at} /> },
    {
      title: t.actions,
      actions: true,
      cell: (one) => (
        <Group gap="xs" justify="flex-end">
          <Button
            size="xs"
            variant="default"
            onClick={() => setOpened(one.id)}
            aria-label={t.detailsOf(one.event_type)}
          >
            {t.details}
          </Button>
          {canRetry(one) && one.status !== 'pending' && (
            <Button size="xs" variant="default" onClick={() => onRetry(one)} aria-label={t.retryOf(one.event_type)}>
              {t.retry}
            </Button>
          )}
        </Group>
      ),
    },
  ]
  return (
    <>
      <DataTable dense label={t.deliveries} rows={deliveries} columns={columns} keyOf={({ id }) => id} />
      <DeliveryDetails delivery={delivery} onClose={() => setOpened(undefined)} />
    </>
  )
}
