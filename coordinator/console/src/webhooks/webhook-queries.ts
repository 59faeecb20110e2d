import { useQuery } from '@tanstack/react-query'
import { answered, api, type Schemas } from '../api/client.ts'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']

export const WEBHOOKS_KEY = ['webhooks']

/** All webhooks of the user, revoked ones too. */
export const useWebhooks = () =>
  useQuery({
    queryKey: WEBHOOKS_KEY,
    queryFn: () => answered(api.GET('/api/v1/webhooks')),
    refetchInterval: 15_000,
  })

/** One page of a webhook's deliveries, newest first. */
export const askDeliveries = (id: string, page: number, limit: number, signal?: AbortSignal) =>
  answered(
    api.GET('/api/v1/webhooks/{id}/deliveries', {
      params: { path: { id }, query: { page, limit } },
      ...(signal ? { signal } : {}),
    }),
  )

/** Sends a delivery that is over once more. */
export const retryDelivery = (id: string, delivery_id: string) =>
  answered(api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry', { params: { path: { id, delivery_id } } }))
