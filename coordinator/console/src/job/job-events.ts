import type { operations } from '@placefleet/client/schema'

type FollowEvent = operations['streamJob']['responses'][200]['content']['application/x-ndjson']
type JobProgressEvent = Extract<FollowEvent, { type: 'progress' }>

/** Browsers open at most six connections to a host over HTTP/1.1, so all tabs share one stream. */
const ONE_STREAM = 'placefleet-job-events'

type JobListener = {
  onProgress(event: JobProgressEvent): void
  onEnd(): void
  /** Called with whether events arrive now. While they do not, the caller must poll. */
  onLive(live: boolean): void
}

/**
 * Follows a job with server-sent events until the returned function is called. Waits while another tab holds the stream
 * of this browser.
 */
export function followJob(id: string, listener: JobListener): () => void {
  const leaving = new AbortController()
  const follow = () => followUntil(leaving.signal, id, listener)
  if (!('locks' in navigator))
    void follow() // plain HTTP has no Web Locks API, except on localhost
  else navigator.locks.request(ONE_STREAM, { signal: leaving.signal }, follow).catch(unlessAborted(leaving.signal))
  return () => leaving.abort()
}

function followUntil(signal: AbortSignal, id: string, { onProgress, onEnd, onLive }: JobListener): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  const source = new EventSource(`/api/v1/jobs/${id}/events?places=false`) // places are read in pages
  source.onopen = () => onLive(true)
  source.onerror = () => onLive(false) // the browser reconnects, unless the server refused
  source.onmessage = ({ data }) => {
    const event: FollowEvent = JSON.parse(data)
    if (event.type === 'progress') onProgress(event)
    if (event.type === 'end') onEnd()
  }
  return new Promise((resolve) => {
    const close = () => {
      source.close()
      onLive(false)
      resolve()
    }
    signal.addEventListener('abort', close, { once: true })
  })
}

const unlessAborted = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}
