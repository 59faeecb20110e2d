import { bodyOf, type Connection, type CreateOptions } from '../connection.ts'
import { APITimeoutError, unwrap } from '../errors.ts'
import { type FollowEvent, type FollowOptions, followJob, type Progress, type WaitOptions } from '../follow.ts'
import { sleep } from '../retry.ts'
import { type CreateJobRequest, hasEnded, type Job, type Place } from './job-parts.ts'

export type RunOptions = WaitOptions & {
  /** A repeated creation with the same key creates no second job within 24 hours. Default: a new key. */
  idempotencyKey?: string | undefined
  onProgress?: ((progress: Progress, job_id: string) => void) | undefined
}

/** How long one request waits for a change of the job, in seconds. */
const LONGEST_WAIT_SECONDS = 60

/** A coordinator that stops answers at once. So that the next requests do not come in a rush, each takes so long. */
const SHORTEST_WAIT_MS = 1_000

type Calls = {
  create(body: CreateJobRequest, options?: CreateOptions): Promise<{ id: string }>
  get(id: string, options?: { wait?: number; signal?: AbortSignal | undefined }): Promise<Job>
}

/** Returns the functions that follow a job until it ends. */
export function toTheirEnd(connection: Connection, { create, get }: Calls) {
  /** Yields every event of a job until its end, without gaps, over any number of connections. */
  async function* events(id: string, options: FollowOptions = {}): AsyncGenerator<FollowEvent, void> {
    const { signal, release } = limited(options)
    try {
      yield* followJob(streamOf(connection, id, signal), { after: options.after, signal })
    } finally {
      release()
    }
  }

  return {
    events,

    /** Yields the places of a job while they are stored, until it ends: each once and in order. */
    follow: async function* (id: string, options: FollowOptions = {}): AsyncGenerator<Place, void> {
      for await (const event of events(id, options)) if (event.type === 'place') yield event.place
    },

    /** Waits until a job has ended, and returns it. */
    wait: async (id: string, options: WaitOptions = {}): Promise<Job> => {
      const { signal, release } = limited(options)
      try {
        return await untilEnd(get, id, signal)
      } finally {
        release()
      }
    },

    /** Creates a job and follows it to its end. Returns failed jobs too: check the `status`. */
    run: async (
      request: CreateJobRequest,
      { onProgress, idempotencyKey, signal, timeoutMs }: RunOptions = {},
    ): Promise<{ job: Job; places: Place[] }> => {
      const { id } = await create(request, { idempotencyKey, signal })
      const places: Place[] = []
      for await (const event of events(id, { signal, timeoutMs })) {
        if (event.type === 'place') places.push(event.place)
        if (event.type === 'progress') onProgress?.(event, id)
      }
      return { job: await get(id, { signal }), places }
    },
  }
}

const streamOf =
  ({ api, sent }: Connection, id: string, signal: AbortSignal) =>
  async (after: number) => {
    const params = { path: { id }, query: { after } }
    const call = { params, parseAs: 'stream', ...sent({ signal, streams: true }) } as const
    return bodyOf(await unwrap(api.GET('/api/v1/jobs/{id}/stream', call)))
  }

async function untilEnd(get: Calls['get'], id: string, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const startedAt = performance.now()
    const job = await get(id, { wait: LONGEST_WAIT_SECONDS, signal })
    if (hasEnded(job)) return job
    await sleep(Math.max(0, SHORTEST_WAIT_MS - (performance.now() - startedAt)), signal)
  }
}

/**
 * Returns a signal that the caller's signal aborts, and the time limit with an APITimeoutError, until it is released.
 */
function limited({ signal, timeoutMs }: WaitOptions): { signal: AbortSignal; release(): void } {
  const limit = new AbortController()
  const message = `The job did not end within ${(timeoutMs ?? 0) / 1_000} seconds. It continues.`
  const end = () => limit.abort(new APITimeoutError({ status: 0, body: { error: 'timeout', message } }))
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs)
  return {
    signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    release: () => clearTimeout(timer),
  }
}
