import type { CallOptions, Connection, Query } from '../connection.ts'
import { unwrap } from '../errors.ts'
import { itemsOfPages } from '../lists.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']

/** Your webhooks and what was sent to them. `@placefleet/client/webhooks` verifies deliveries. */
export const createWebhooks = (connection: Connection) => ({
  ...webhookCalls(connection),
  ...deliveryCalls(connection),
})

const webhookCalls = ({ api, sent }: Connection) => ({
  list: (options?: CallOptions) => unwrap(api.GET('/api/v1/webhooks', sent(options))),

  /** Registers a URL. The signing `secret` is shown only here. */
  create: (body: Schemas['CreateWebhookRequest'], options?: CallOptions) =>
    unwrap(api.POST('/api/v1/webhooks', { body, ...sent(options) })),

  /** Changes fields. Absent fields stay unchanged. */
  update: async (id: string, body: Schemas['ChangeWebhookRequest'], options?: CallOptions): Promise<void> => {
    await unwrap(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id } }, body, ...sent(options) }))
  },

  /** Deletes a webhook: nothing is sent to it any more. */
  delete: async (id: string, options?: CallOptions): Promise<void> => {
    await unwrap(api.DELETE('/api/v1/webhooks/{id}', { params: { path: { id } }, ...sent(options) }))
  },

  /** Creates a new signing secret. Deliveries are signed with both for a day. */
  rotateSecret: (id: string, options?: CallOptions) =>
    unwrap(api.POST('/api/v1/webhooks/{id}/rotate-secret', { params: { path: { id } }, ...sent(options) })),

  /** Sends the event `webhook.test` in one attempt. */
  test: (id: string, options?: CallOptions) =>
    unwrap(api.POST('/api/v1/webhooks/{id}/test', { params: { path: { id } }, ...sent(options) })),
})

const deliveryCalls = ({ api, sent }: Connection) => ({
  /** Yields the deliveries of a webhook, newest first. */
  deliveries: (id: string, query: Omit<Query<'listWebhookDeliveries'>, 'page'> = {}, options?: CallOptions) =>
    itemsOfPages(
      async (page) => {
        const params = { path: { id }, query: { limit: 100, ...query, page } }
        const answer = await unwrap(api.GET('/api/v1/webhooks/{id}/deliveries', { params, ...sent(options) }))
        return { items: answer.deliveries, has_more: answer.has_more }
      },
      (delivery) => delivery.id,
    ),

  /** Sends one delivery again. */
  retryDelivery: (id: string, delivery_id: string, options?: CallOptions) => {
    const params = { path: { id, delivery_id } }
    return unwrap(api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/retry', { params, ...sent(options) }))
  },

  /** Sends the failed deliveries since a time again. Returns how many. */
  retryFailed: async (id: string, since: Date | string, options?: CallOptions): Promise<number> => {
    const body = { since: new Date(since).toISOString() }
    const params = { path: { id } }
    const call = api.POST('/api/v1/webhooks/{id}/retry-failed', { params, body, ...sent(options) })
    return (await unwrap(call)).retried
  },
})
