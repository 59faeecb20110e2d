import { type CallOptions, type Connection, type CreateOptions, keyHeader, type Query } from '../connection.ts'
import { InvalidRequestError, unwrap } from '../errors.ts'
import { itemsBehind, itemsOfPages } from '../lists.ts'
import type { components } from '../schema.d.ts'
import { createFiles } from './files.ts'
import type { CreateJobRequest, Job, JobTask, Place } from './job-parts.ts'
import { jobParts } from './job-parts.ts'
import { toTheirEnd } from './jobs-to-their-end.ts'

type Schemas = components['schemas']
export type CoverageCertificate = Schemas['CoverageCertificate']
export type NamedPlace = Schemas['NamedPlace']
export type CoverageCells = Schemas['CoverageCells']

export type GetOptions = CallOptions & {
  /** Wait this many seconds for a change of the status, at most 60. */
  wait?: number | undefined
}

/** Jobs and their places. */
export function createJobs(connection: Connection) {
  const calls = jobCalls(connection)
  return {
    ...calls,
    ...listCalls(connection),
    ...detailCalls(connection),
    ...createFiles(connection),
    ...toTheirEnd(connection, calls),
  }
}

function jobCalls({ api, sent }: Connection) {
  /** Creates a job. A lost response creates no second one. */
  const create = (
    body: CreateJobRequest,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<Schemas['CreatedJob']> =>
    unwrap(api.POST('/api/v1/jobs', { body, params: { header: keyHeader(idempotencyKey) }, ...sent(options) }))

  const get = (id: string, { wait, timeoutMs = TIMEOUT_MS, ...call }: GetOptions = {}): Promise<Job> => {
    const query = wait === undefined ? {} : { wait }
    const options = { ...call, timeoutMs: timeoutMs + (wait ?? 0) * 1_000 }
    return unwrap(api.GET('/api/v1/jobs/{id}', { params: { path: { id }, query }, ...sent(options) }))
  }

  return {
    create,
    get,

    /**
     * Creates the jobs for any number of `places`, as `jobParts` divides them, and yields each. An error ends it: what
     * was created before stays, and the same call with the same key goes on behind it.
     */
    createInParts: async function* (
      body: CreateJobRequest,
      { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
    ): AsyncGenerator<Schemas['CreatedJob'], void> {
      for (const [index, part] of jobParts(body).entries())
        yield await create(part, { ...options, idempotencyKey: `${idempotencyKey}/${index}` })
    },

    /**
     * Creates a job with the settings of another one, and with `changes`.
     * @throws InvalidRequestError when that job had proxies and `changes` has none.
     */
    again: async (
      id: string,
      { changes, ...options }: CreateOptions & { changes?: Partial<CreateJobRequest> } = {},
    ): Promise<Schemas['CreatedJob']> => {
      const { name, data } = await get(id, options)
      const { proxy_count, ...settings } = data
      const message = 'The proxies of a job are never shown. Pass them again as `proxies`, or an empty list.'
      const isIncomplete = proxy_count > 0 && changes?.proxies === undefined
      if (isIncomplete) throw new InvalidRequestError({ status: 0, body: { error: 'proxies_missing', message } })
      return create({ name, ...settings, ...changes }, options)
    },

    /** Says what a job would cost, and whether your credits suffice. Creates nothing. */
    estimate: (body: Schemas['EstimateRequest'], options?: CallOptions): Promise<Schemas['EstimateAnswer']> =>
      unwrap(api.POST('/api/v1/jobs/estimates', { body, ...sent(options) })),

    /** Cancels a job. Its stored places stay and are billed. */
    cancel: async (id: string, options?: CallOptions): Promise<void> => {
      await unwrap(api.POST('/api/v1/jobs/{id}/cancel', { params: { path: { id } }, ...sent(options) }))
    },

    /** Deletes a job and its places. */
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await unwrap(api.DELETE('/api/v1/jobs/{id}', { params: { path: { id } }, ...sent(options) }))
    },
  }
}

/** The server answers at the latest when the wait is over; an answer needs so long besides, in milliseconds. */
const TIMEOUT_MS = 60_000

type ListQuery = Omit<Query<'listJobs'>, 'page' | 'sort'>

function listCalls({ api, sent }: Connection) {
  const read = async (query: Query<'listJobs'>, options?: CallOptions) => {
    const params = { query: { limit: 100, ...query } }
    const { jobs, has_more } = await unwrap(api.GET('/api/v1/jobs', { params, ...sent(options) }))
    return { items: jobs, has_more }
  }

  return {
    /** Yields all jobs in the order of creation, newest first unless `order` is `asc`. Jobs that come or go meanwhile disturb nothing. */
    list: (query: ListQuery = {}, options?: CallOptions): AsyncGenerator<Job, void> =>
      itemsBehind(
        (after: string | undefined) => read(after === undefined ? query : { ...query, after }, options),
        ({ id }) => id,
        query.after,
      ),

    /** Yields all jobs in any order. A job that changes its place in the order meanwhile is yielded once or not at all. */
    listBy: (query: Omit<Query<'listJobs'>, 'page' | 'after'>, options?: CallOptions): AsyncGenerator<Job, void> =>
      itemsOfPages(
        (page) => read({ ...query, page }, options),
        ({ id }) => id,
      ),

    /** Yields the places that a job has stored so far. */
    places: (
      id: string,
      query: Omit<Query<'listJobResults'>, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<Place, void> =>
      itemsOfPages(
        async (page) => {
          const params = { path: { id }, query: { limit: 100, ...query, page } }
          const answer = await unwrap(api.GET('/api/v1/jobs/{id}/results', { params, ...sent(options) }))
          return { items: answer.results, has_more: answer.has_more }
        },
        (place) => place.id,
      ),

    /** Yields the tasks of a job with their attempts, searches first. They are kept for a week after their end. */
    tasks: (id: string, query: Query<'listJobTasks'> = {}, options?: CallOptions): AsyncGenerator<JobTask, void> =>
      itemsBehind(
        async (after: string | undefined) => {
          const params = { path: { id }, query: { limit: 100, ...query, ...(after !== undefined && { after }) } }
          const { tasks, has_more } = await unwrap(api.GET('/api/v1/jobs/{id}/tasks', { params, ...sent(options) }))
          return { items: tasks, has_more }
        },
        (task) => task.id,
        query.after,
      ),
  }
}

function detailCalls({ api, sent }: Connection) {
  const coverage = (id: string, format: 'json' | 'geojson', options?: CallOptions) =>
    unwrap(api.GET('/api/v1/jobs/{id}/coverage', { params: { path: { id }, query: { format } }, ...sent(options) }))

  return {
    /** Returns the cost of a job by item. */
    costs: (id: string, options?: CallOptions) =>
      unwrap(api.GET('/api/v1/jobs/{id}/costs', { params: { path: { id } }, ...sent(options) })),

    /** Returns the costs of several jobs by their ids. */
    costsOf: async (job_ids: string[], options?: CallOptions) =>
      (await unwrap(api.POST('/api/v1/jobs/costs/batch', { body: { job_ids }, ...sent(options) }))).costs,

    /** Returns what was sent to your webhooks about a job. */
    deliveries: (id: string, options?: CallOptions) =>
      unwrap(api.GET('/api/v1/jobs/{id}/deliveries', { params: { path: { id } }, ...sent(options) })),

    /** What became of each of the `places` of a job, in their order. */
    inputs: async (id: string, options?: CallOptions): Promise<NamedPlace[]> => {
      const params = { path: { id }, query: { limit: 1_000 } } // a job names no more
      const answer = await unwrap(api.GET('/api/v1/jobs/{id}/inputs', { params, ...sent(options) }))
      if (typeof answer === 'string') throw new TypeError('The server answered with a CSV file.')
      return answer.inputs
    },

    /** Returns how completely a job searched its area. */
    coverage: async (id: string, options?: CallOptions): Promise<CoverageCertificate> => {
      const answer = await coverage(id, 'json', options)
      if ('features' in answer) throw new TypeError('The server answered with cells, not with a certificate.')
      return answer
    },

    /** Returns the parts of the area that a job searched, as GeoJSON. */
    coverageCells: async (id: string, options?: CallOptions): Promise<CoverageCells> => {
      const answer = await coverage(id, 'geojson', options)
      if ('found' in answer) throw new TypeError('The server answered with a certificate, not with cells.')
      return answer
    },
  }
}
