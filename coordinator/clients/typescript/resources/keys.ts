import type { CallOptions, Connection } from '../connection.ts'
import { unwrap } from '../errors.ts'
import type { components } from '../schema.d.ts'

type Schemas = components['schemas']

/** Your API keys. */
export const createKeys = ({ api, sent }: Connection) => ({
  /** Returns your keys, oldest first, including revoked ones. */
  list: (options?: CallOptions) => unwrap(api.GET('/api/v1/api-keys', sent(options))),

  /** Creates a key. The secret `key` is shown only here. */
  create: (body: Schemas['CreateApiKeyRequest'], options?: CallOptions) =>
    unwrap(api.POST('/api/v1/api-keys', { body, ...sent(options) })),

  /** Changes how much a key may spend. */
  update: async (id: string, body: Schemas['ChangeApiKeyRequest'], options?: CallOptions): Promise<void> => {
    await unwrap(api.PATCH('/api/v1/api-keys/{id}', { params: { path: { id } }, body, ...sent(options) }))
  },

  /** Revokes a key, from the next request on. */
  revoke: async (id: string, options?: CallOptions): Promise<void> => {
    await unwrap(api.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } }, ...sent(options) }))
  },
})
