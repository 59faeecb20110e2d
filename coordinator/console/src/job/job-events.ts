import type { operations } from '@placefleet/client/schema'

type FollowEvent = operations['streamJob']['responses'][200]['content']['application/x-ndjson']
type JobProgressEvent = Extract<FollowEvent, { type: 'progress' }>

/** Browsers open at most six connections to a host over HTTP/1.1, so all tabs share one stream. */
const ONE_STREAM = 'placefleet-job-events'

const LONGEST_WAIT_MS = 60_000

/** Returns the delay after so many refusals in a row, in milliseconds. */
export const waitAfterRefusals = (refusals: number): number => Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** refusals)

type JobListener = {
  onProgress(event: JobProgressEvent): void
  onEnd(): void
  /** Called with whether events arrive now. While they do not, the caller must poll. */
  onLive(live: boolean): void
}

/** The part of an `EventSource` that is used here. */
export type EventStream = {
  readonly readyState: number
  onopen: ((event: Event) => unknown) | null
  onerror: ((event: Event) => unknown) | null
  onmessage: ((event: MessageEvent) => unknown) | null
  close(): void
}

/** What following needs of the browser. */
export type Follower = {
  open(url: string): EventStream
  /** Runs `task` while no other tab of this browser does. */
  alone<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result>
  /** Waits this long, or until the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/**
 * Follows a job with server-sent events until the returned function is called. Waits while another tab holds the stream
 * of this browser. After a refusal it lets other tabs try, and tries again later.
 */
export function followJob(id: string, listener: JobListener, follower: Follower = inBrowser): () => void {
  const leaving = new AbortController()
  followUntil(leaving.signal, id, listener, follower).catch(unlessAborted(leaving.signal))
  return () => leaving.abort()
}

async function followUntil(signal: AbortSignal, id: string, listener: JobListener, follower: Follower): Promise<void> {
  for (let refusals = 0; !signal.aborted; ) {
    const wasOpen = await follower.alone(signal, () => followOnce(signal, id, listener, follower))
    refusals = wasOpen ? 1 : refusals + 1
    await follower.wait(waitAfterRefusals(refusals), signal)
  }
}

/** Follows until the signal is aborted or the server refuses. Returns whether the stream was open before. */
function followOnce(signal: AbortSignal, id: string, listener: JobListener, { open }: Follower): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const source = open(`/api/v1/jobs/${id}/events?places=false`) // places are read in pages
  let wasOpen = false
  const close = () => {
    source.close()
    listener.onLive(false)
    resolve(wasOpen)
  }
  source.onopen = () => {
    wasOpen = true
    listener.onLive(true)
  }
  source.onerror = () => {
    listener.onLive(false)
    if (source.readyState === CLOSED) close() // refused; after a lost connection the browser tries again by itself
  }
  source.onmessage = ({ data }) => {
    const event: FollowEvent = JSON.parse(data)
    if (event.type === 'progress') listener.onProgress(event)
    if (event.type === 'end') listener.onEnd()
  }
  signal.addEventListener('abort', close, { once: true })
  return promise
}

/** `EventSource.CLOSED`. */
const CLOSED = 2

const inBrowser: Follower = {
  open: (url) => new EventSource(url),
  // Plain HTTP has no Web Locks API, except on localhost.
  alone: (signal, task) => ('locks' in navigator ? navigator.locks.request(ONE_STREAM, { signal }, task) : task()),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
      signal.addEventListener('abort', () => resolve(), { once: true })
    }),
}

const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}
