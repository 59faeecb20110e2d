import { Group, NativeSelect, Stack, Title } from '@mantine/core'
import { DELIVERY_EVENTS, DELIVERY_STATUSES } from '@placefleet/shared/webhooks/job-event'
import { useQuery } from '@tanstack/react-query'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Pager } from '../parts/data-table.tsx'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { useAction } from '../parts/use-action.ts'
import { useTexts } from '../texts/language.ts'
import { statusTexts } from '../texts/status.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { DeliveriesTable } from './deliveries-table.tsx'
import { RetryFailed } from './retry-failed.tsx'
import {
  acceptsDeliveries,
  type DeliveryFilters,
  deliveriesQuery,
  retryDelivery,
  WEBHOOKS_KEY,
  type Webhook,
} from './webhook-queries.ts'

const LIMIT = 20

/** The deliveries of a webhook, newest first, with their results. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { params, set } = useFilters()
  const page = pageIn(params)
  const filters = filtersIn(params)
  const deliveries = useQuery(deliveriesQuery(webhook.id, { ...filters, page, limit: LIMIT }))
  const retry = useAction((id: string) => retryDelivery(webhook.id, id), WEBHOOKS_KEY)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4">
          {t.deliveries}
        </Title>
        {acceptsDeliveries(webhook) && <RetryFailed webhook={webhook} />}
      </Group>
      <Filters />
      <WithData query={deliveries}>
        {(data) =>
          data.total === 0 ? (
            <Empty
              title={isFiltered ? t.noMatch : t.noDeliveries}
              hint={isFiltered ? t.noMatchHint : t.noDeliveriesHint}
            />
          ) : (
            <>
              <DeliveriesTable
                deliveries={data.deliveries}
                canRetry={() => acceptsDeliveries(webhook)}
                onRetry={({ id }) => retry.mutate(id)}
              />
              <Pager page={page} limit={LIMIT} total={data.total} onChange={(to) => set({ page: String(to) })} />
            </>
          )
        }
      </WithData>
    </Stack>
  )
}

/** Returns the filters of deliveries in the page's URL. */
function filtersIn(params: URLSearchParams): DeliveryFilters {
  const event_type = DELIVERY_EVENTS.find((type) => type === params.get('event_type'))
  const status = DELIVERY_STATUSES.find((one) => one === params.get('status'))
  return { ...(event_type && { event_type }), ...(status && { status }) }
}

function Filters() {
  const t = useTexts(webhooksTexts)
  const { params, set } = useFilters()
  const { states } = useTexts(statusTexts)
  const { event_type = '', status = '' } = filtersIn(params)
  return (
    <Group gap="sm">
      <NativeSelect
        size="xs"
        label={t.event}
        value={event_type}
        data={[{ value: '', label: t.anyEvent }, ...DELIVERY_EVENTS]}
        onChange={({ currentTarget: { value } }) => set({ event_type: value, page: undefined })}
      />
      <NativeSelect
        size="xs"
        label={t.state}
        value={status}
        data={[
          { value: '', label: t.anyState },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: states[value] ?? value })),
        ]}
        onChange={({ currentTarget: { value } }) => set({ status: value, page: undefined })}
      />
    </Group>
  )
}
