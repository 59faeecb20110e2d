import type { Bytes } from './connection.ts'
import { APIConnectionError } from './errors.ts'
import { backoffMs, sleep } from './retry.ts'
import type { operations } from './schema.d.ts'

/** One event of a followed job: a place with its position, the progress, or the end. */
export type FollowEvent = operations['streamJob']['responses'][200]['content']['application/x-ndjson']
export type Progress = Extract<FollowEvent, { type: 'progress' }>

export type WaitOptions = {
  /** Stops waiting, with the signal's reason. The job continues; `jobs.cancel` cancels it. */
  signal?: AbortSignal | undefined
  /** Stops waiting after this many milliseconds, with an APITimeoutError. The job continues. Default: no limit. */
  timeoutMs?: number | undefined
}

export type FollowOptions = WaitOptions & {
  /** The position of the last place that you received. */
  after?: number | undefined
}

/** The server sends at least an empty line every 15 seconds. After three missed ones, the connection counts as dead. */
const SILENCE_MS = 45_000

/** How many connections in a row may end without an event before the client throws. */
const MAX_FAILURES = 8

/**
 * Follows a job to its end over any number of connections: each place once and in order.
 * @param open opens the stream of the places behind a position.
 * @throws APIConnectionError when connections keep breaking, the reason of `signal`, and the errors of `open`.
 */
export async function* followJob(
  open: (after: number) => Promise<Bytes>,
  { after = 0, signal }: { after?: number | undefined; signal: AbortSignal },
): AsyncGenerator<FollowEvent, void> {
  let cursor = after
  for (let failures = 0; failures < MAX_FAILURES; failures++) {
    if (failures > 0) await sleep(backoffMs(failures), signal)
    for await (const event of eventsOf(await open(cursor))) {
      failures = 0
      if (event.type === 'place') cursor = event.position
      yield event
      if (event.type === 'end') return
    }
    signal?.throwIfAborted()
  }
  const message = 'The stream of the job breaks repeatedly without an event. Try again later.'
  throw new APIConnectionError({ status: 0, body: { error: 'stream_broken', message } })
}

/** Yields the events of one connection. Stops when the connection ends or breaks. */
async function* eventsOf(body: Bytes): AsyncGenerator<FollowEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const piece = await readWithin(reader, SILENCE_MS)
      if (piece === undefined) return // the text after the last newline is an incomplete line
      const lines = `${text}${piece}`.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line)
    }
  } finally {
    // Closing a broken connection fails. The failure does not matter.
    await reader.cancel().catch(() => undefined)
  }
}

/** Returns the next piece of a stream. Undefined when the stream ended, broke, or was silent for too long. */
async function readWithin(reader: ReadableStreamDefaultReader<string>, ms: number): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  const next = reader.read().then(
    ({ value }) => value,
    () => undefined,
  )
  try {
    return await Promise.race([next, silence])
  } finally {
    clearTimeout(timer)
  }
}
