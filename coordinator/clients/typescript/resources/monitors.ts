import { bodyOf, type CallOptions, type Connection, type CreateOptions, keyHeader, type Query } from '../connection.ts'
import { unwrap } from '../errors.ts'
import { itemsBehind } from '../lists.ts'
import type { components } from '../schema.d.ts'
import { jobParts, nameOfPart } from './job-parts.ts'

type Schemas = components['schemas']
export type Monitor = Schemas['Monitor']
export type Change = Schemas['Change']

export type ChangeOptions = CallOptions & {
  /** The `sequence` of the last change that you have. */
  after?: number | undefined
  /** Only changes since this time, as ISO 8601. */
  since?: string | undefined
}

/** Jobs that are created again and again, and what changes between them. */
export const createMonitors = (connection: Connection) => ({
  ...monitorCalls(connection),
  ...runCalls(connection),
})

function monitorCalls({ api, sent }: Connection) {
  const update = (id: string, body: Schemas['ChangeMonitorRequest'], options?: CallOptions): Promise<Monitor> =>
    unwrap(api.PATCH('/api/v1/monitors/{id}', { params: { path: { id } }, body, ...sent(options) }))

  const create = (
    body: Schemas['CreateMonitorRequest'],
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<Monitor> =>
    unwrap(api.POST('/api/v1/monitors', { body, params: { header: keyHeader(idempotencyKey) }, ...sent(options) }))

  return {
    create,
    update,

    /**
     * Creates the monitors for any number of `places` of a job, as `jobParts` divides them, and yields each. An error
     * ends it: what was created before stays, and the same call with the same key goes on behind it.
     */
    createInParts: async function* (
      body: Schemas['CreateMonitorRequest'],
      { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
    ): AsyncGenerator<Monitor, void> {
      const parts = jobParts(body.job)
      for (const [index, job] of parts.entries()) {
        const name = nameOfPart(body.name, index, parts.length)
        yield await create({ ...body, name, job }, { ...options, idempotencyKey: `${idempotencyKey}/${index}` })
      }
    },

    /** Returns your monitors, oldest first. */
    list: async (options?: CallOptions): Promise<Monitor[]> =>
      (await unwrap(api.GET('/api/v1/monitors', sent(options)))).monitors,

    get: (id: string, options?: CallOptions): Promise<Monitor> =>
      unwrap(api.GET('/api/v1/monitors/{id}', { params: { path: { id } }, ...sent(options) })),

    /** Deletes a monitor with its changes. Its jobs stay. */
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await unwrap(api.DELETE('/api/v1/monitors/{id}', { params: { path: { id } }, ...sent(options) }))
    },

    pause: (id: string, options?: CallOptions): Promise<Monitor> => update(id, { paused: true }, options),

    resume: (id: string, options?: CallOptions): Promise<Monitor> => update(id, { paused: false }, options),
  }
}

const runCalls = ({ api, sent }: Connection) => ({
  /** Runs a monitor now, beside its schedule. Returns the id of the job. */
  run: async (id: string, { idempotencyKey, ...options }: CreateOptions = {}): Promise<string> => {
    const params = { path: { id }, header: keyHeader(idempotencyKey) }
    return (await unwrap(api.POST('/api/v1/monitors/{id}/run', { params, ...sent(options) }))).job_id
  },

  /** Returns the latest runs, newest first. */
  runs: async (id: string, query: Query<'listMonitorRuns'> = {}, options?: CallOptions) => {
    const params = { path: { id }, query }
    return (await unwrap(api.GET('/api/v1/monitors/{id}/runs', { params, ...sent(options) }))).runs
  },

  /** Yields all changes, oldest first. To continue later, keep the `sequence` of the last one and pass it as `after`. */
  changes: (id: string, { after, since, ...options }: ChangeOptions = {}): AsyncGenerator<Change, void> =>
    itemsBehind(
      async (behind: number | undefined) => {
        const from = since === undefined ? {} : { since }
        const query = { limit: 1_000, after: behind ?? 0, ...from }
        const params = { path: { id }, query }
        const answer = await unwrap(api.GET('/api/v1/monitors/{id}/changes', { params, ...sent(options) }))
        return { items: answer.changes, has_more: answer.has_more }
      },
      ({ sequence }) => sequence,
      after,
    ),

  /** Yields all changes, newest first. */
  newestChanges: (id: string, options?: CallOptions): AsyncGenerator<Change, void> =>
    itemsBehind(
      async (before: number | undefined) => {
        const query = { limit: 1_000, order: 'desc' as const, ...(before === undefined ? {} : { before }) }
        const params = { path: { id }, query }
        const answer = await unwrap(api.GET('/api/v1/monitors/{id}/changes', { params, ...sent(options) }))
        return { items: answer.changes, has_more: answer.has_more }
      },
      ({ sequence }) => sequence,
    ),

  /** Downloads the changes as a file. */
  downloadChanges: async (id: string, query: Query<'downloadMonitorChanges'> = {}, options?: CallOptions) => {
    const call = { params: { path: { id }, query }, parseAs: 'stream', ...sent({ ...options, streams: true }) } as const
    return bodyOf(await unwrap(api.GET('/api/v1/monitors/{id}/changes/download', call)))
  },
})
