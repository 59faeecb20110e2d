import type { DeliveryEvent, DeliveryStatus } from '@placefleet/shared/webhooks/job-event'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { ACTIVE_POLL_MS, IDLE_POLL_MS } from '../api/queries.ts'
import type { Job } from '../jobs/job-queries.ts'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']

export const WEBHOOKS_KEY = ['webhooks']

/** Returns whether the webhook receives deliveries. */
export const acceptsDeliveries = ({ revoked_at, health_state }: Webhook): boolean =>
  revoked_at === undefined && health_state !== 'disabled'

/** Reads all webhooks of the user, including revoked ones. */
export const useWebhooks = () =>
  useQuery({
    queryKey: WEBHOOKS_KEY,
    queryFn: () => unwrap(api.GET('/api/v1/webhooks')),
    refetchInterval: 15_000,
  })

/** The filters of the list of deliveries. */
export type DeliveryFilters = { event_type?: DeliveryEvent; status?: DeliveryStatus }

type DeliveryPage = DeliveryFilters & { page: number; limit: number }

/** Deliveries that wait for their next attempt are read again soon. */
const whilePending = ({ state }: { state: { data: { deliveries: readonly Delivery[] } | undefined } }): number =>
  state.data?.deliveries.some(({ status }) => status === 'pending') ? ACTIVE_POLL_MS : IDLE_POLL_MS

/** A page of a webhook's deliveries, newest first. */
export const deliveriesQuery = (id: string, query: DeliveryPage) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, id, 'deliveries', query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: whilePending,
  })

/** The deliveries of a job's end to all webhooks. */
export const jobDeliveriesQuery = ({ id, status }: Pick<Job, 'id' | 'status'>) =>
  queryOptions({
    queryKey: [...WEBHOOKS_KEY, 'of-job', id, status],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/jobs/{id}/deliveries', { params: { path: { id } }, signal })),
    refetchInterval: whilePending,
  })

/** Retries all deliveries that failed since a time. Returns their number. */
export async function retryFailedSince(id: string, since: Date): Promise<number> {
  const body = { since: since.toISOString() }
  return (await unwrap(api.POST('/api/v1/webhooks/{id}/retry-failed', { params: { path: { id } }, body }))).retried
}

/** Retries an ended delivery. */
export const retryDelivery = (id: string, delivery_id: string) =>
  unwrap(api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry', { params: { path: { id, delivery_id } } }))
