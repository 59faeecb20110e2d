import type { Client } from 'openapi-fetch'
import { answered } from './errors.ts'
import { type FollowEvent, type FollowOptions, followJob, type Progress } from './follow.ts'
import type { components, operations, paths } from './schema.d.ts'

type Schemas = components['schemas']
export type Job = Schemas['Job']
export type Place = Schemas['Result']
export type CreateJobRequest = Schemas['CreateJobRequest']
export type CoverageCertificate = Schemas['CoverageCertificate']
export type CoverageCells = Schemas['CoverageCells']
export type EstimateRequest = Schemas['EstimateRequest']

type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>

export type CreateOptions = {
  /** A repeated request with the same key creates no second job within 24 hours. Default: a new key. */
  idempotencyKey?: string
}

export type RunOptions = CreateOptions & {
  onProgress?(progress: Progress, job_id: string): void
  /** Stops waiting. The job continues; `jobs.cancel` cancels it. */
  signal?: AbortSignal
}

/** How long one request waits for a change of the job, in seconds. */
const LONGEST_WAIT = 60

/** Jobs and their places. Every function throws PlacefleetError when the API refuses. */
export function jobFunctions(api: Client<paths>) {
  const calls = jobCalls(api)
  return { ...calls, ...coverageCalls(api), ...resultCalls(api), ...followingFunctions(api, calls) }
}

function jobCalls(api: Client<paths>) {
  const get = (id: string, query: Query<'getJob'> = {}): Promise<Job> =>
    answered(api.GET('/api/v1/jobs/{id}', { params: { path: { id }, query } }))

  /** Creates a job and returns its id. Retries lost connections without creating a second job. */
  const create = async (body: CreateJobRequest, { idempotencyKey }: CreateOptions = {}): Promise<string> => {
    const header = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
    return (await answered(api.POST('/api/v1/jobs', { body, params: { header } }))).id
  }

  return {
    create,
    get,
    estimate: (body: EstimateRequest) => answered(api.POST('/api/v1/jobs/estimates', { body })),

    /** Yields all jobs, newest first unless `query` sets another order. */
    list: (query: Omit<Query<'listJobs'>, 'page' | 'after'> = {}): AsyncGenerator<Job, void> =>
      itemsOf(async (page) => {
        const params = { query: { limit: 100, ...query, page } }
        const { jobs, has_more } = await answered(api.GET('/api/v1/jobs', { params }))
        return { items: jobs, has_more }
      }),

    /** Cancels a job. Its stored places stay and are billed. */
    cancel: async (id: string): Promise<void> => {
      await answered(api.POST('/api/v1/jobs/{id}/cancel', { params: { path: { id } } }))
    },

    /** Deletes a job and its places. */
    delete: async (id: string): Promise<void> => {
      await answered(api.DELETE('/api/v1/jobs/{id}', { params: { path: { id } } }))
    },
  }
}

function coverageCalls(api: Client<paths>) {
  const coverage = (id: string, format: 'json' | 'geojson') =>
    answered(api.GET('/api/v1/jobs/{id}/coverage', { params: { path: { id }, query: { format } } }))

  return {
    /** Returns how completely a job searched its area. */
    coverage: async (id: string): Promise<CoverageCertificate> => {
      const answer = await coverage(id, 'json')
      if ('features' in answer) throw new TypeError('The server answered with cells, not with a certificate.')
      return answer
    },

    /** Returns the parts of the area that a job searched, as GeoJSON. */
    coverageCells: async (id: string): Promise<CoverageCells> => {
      const answer = await coverage(id, 'geojson')
      if ('found' in answer) throw new TypeError('The server answered with a certificate, not with cells.')
      return answer
    },
  }
}

function resultCalls(api: Client<paths>) {
  return {
    /** Yields the places that a job has stored so far. */
    places: (id: string, query: Omit<Query<'listJobResults'>, 'page'> = {}): AsyncGenerator<Place, void> =>
      itemsOf(async (page) => {
        const params = { path: { id }, query: { limit: 100, ...query, page } }
        const { results, has_more } = await answered(api.GET('/api/v1/jobs/{id}/results', { params }))
        return { items: results, has_more }
      }),

    /** Downloads the file of an ended job, as a stream of bytes. */
    download: async (id: string, query: Query<'downloadJobResults'> = {}): Promise<ReadableStream<Uint8Array>> => {
      const params = { path: { id }, query }
      return fileOf(await answered(api.GET('/api/v1/jobs/{id}/download', { params, parseAs: 'stream' })))
    },

    /** Makes a link that downloads the file of an ended job for ten minutes, without an API key. */
    downloadLink: (id: string, body: Schemas['DownloadLinkRequest']): Promise<Schemas['DownloadLink']> =>
      answered(api.POST('/api/v1/jobs/{id}/download-link', { params: { path: { id } }, body })),

    /** Downloads one file of all ended jobs, of a monitor, or of the jobs that a search finds, as a stream of bytes. */
    downloadAll: async (query: Query<'downloadResults'> = {}): Promise<ReadableStream<Uint8Array>> =>
      fileOf(await answered(api.GET('/api/v1/results/download', { params: { query }, parseAs: 'stream' }))),
  }
}

function fileOf<File>(body: File | null | undefined): File {
  if (body === null || body === undefined) throw new Error('The download has no body.')
  return body
}

/** Returns the functions that follow a job until it ends. */
function followingFunctions(api: Client<paths>, { create, get }: ReturnType<typeof jobCalls>) {
  /** Yields every event of a job until its end, without gaps, over any number of connections. */
  const events = (id: string, options: FollowOptions = {}): AsyncGenerator<FollowEvent, void> => {
    const signal = options.signal ?? null
    const open = async (after: number) => {
      const path = '/api/v1/jobs/{id}/stream' as const
      const body = await answered(
        api.GET(path, { params: { path: { id }, query: { after } }, parseAs: 'stream', signal }),
      )
      if (body === null || body === undefined) throw new Error('The stream of a job has no body.')
      return body
    }
    return followJob(open, options)
  }

  return {
    events,

    /** Yields the places of a job while they are stored, until it ends: each once and in order. */
    follow: async function* (id: string, options: FollowOptions = {}): AsyncGenerator<Place, void> {
      for await (const event of events(id, options)) if (event.type === 'place') yield event.place
    },

    /** Waits until a job has ended, and returns it. */
    wait: async (id: string): Promise<Job> => {
      for (;;) {
        const job = await get(id, { wait: LONGEST_WAIT })
        if (hasEnded(job)) return job
      }
    },

    /** Creates a job and follows it to its end. Returns failed jobs too: check the `status`. */
    run: async (
      request: CreateJobRequest,
      { onProgress, signal, ...options }: RunOptions = {},
    ): Promise<{ job: Job; places: Place[] }> => {
      const id = await create(request, options)
      const places: Place[] = []
      for await (const event of events(id, signal ? { signal } : {})) {
        if (event.type === 'place') places.push(event.place)
        if (event.type === 'progress') onProgress?.(event, id)
      }
      return { job: await get(id), places }
    },
  }
}

/** Returns whether a job has ended. */
export const hasEnded = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

type Page<Item> = { items: Item[]; has_more: boolean }

/** Yields the items of all pages of a list. Reads each page when it is needed. */
async function* itemsOf<Item>(read: (page: number) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  for (let page = 1; ; page++) {
    const { items, has_more } = await read(page)
    yield* items
    if (!has_more) return
  }
}

/** Returns the first items of a list. Reads only the pages that it needs. */
export async function firstOf<Item>(items: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length === limit) break
  }
  return found
}
