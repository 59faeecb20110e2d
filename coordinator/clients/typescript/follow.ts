import { PlacefleetError } from './errors.ts'
import { backoffMs, sleep } from './retry.ts'
import type { operations } from './schema.d.ts'

/** One event of a followed job: a place with its position, the progress, or the end. */
export type FollowEvent = operations['streamJob']['responses'][200]['content']['application/x-ndjson']
export type Progress = Extract<FollowEvent, { type: 'progress' }>

export type FollowOptions = {
  /** The position of the last place that you have. */
  after?: number
  signal?: AbortSignal
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** The server sends at least an empty line every 15 seconds. After three of them missed, the connection is dead. */
const SILENCE_MS = 45_000

/** Connections in a row that may end without a single event before the client gives up. */
const MOST_FAILURES = 8

/**
 * Follows a job to its end over any number of connections: each place once and in order.
 * @param open opens the stream of the places behind a position.
 * @throws PlacefleetError when the server refuses, or when connections keep breaking; the error of `open`.
 */
export async function* followJob(
  open: (after: number) => Promise<Bytes>,
  { after = 0, signal }: FollowOptions = {},
): AsyncGenerator<FollowEvent, void> {
  let cursor = after
  for (let failures = 0; failures < MOST_FAILURES; failures++) {
    if (failures > 0) await sleep(backoffMs(failures), signal)
    for await (const event of eventsOf(await open(cursor))) {
      failures = 0
      if (event.type === 'place') cursor = event.position
      yield event
      if (event.type === 'end') return
    }
    signal?.throwIfAborted()
  }
  const message = 'The stream of the job breaks again and again before it brings anything. Try again later.'
  throw new PlacefleetError(0, { error: 'stream_broken', message })
}

/** The events of one connection. It ends where the connection does, whether that was the end or a cut. */
async function* eventsOf(body: Bytes): AsyncGenerator<FollowEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const piece = await readWithin(reader, SILENCE_MS)
      if (piece === undefined) return // what stands behind the last newline is the beginning of a line that was cut
      const lines = `${text}${piece}`.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line)
    }
  } finally {
    // A connection that broke cannot be closed any more, and need not be.
    await reader.cancel().catch(() => undefined)
  }
}

/** The next piece of a stream. Undefined when it ended, broke, or was silent for too long. */
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
