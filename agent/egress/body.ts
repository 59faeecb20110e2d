import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailed } from './failure.ts'

/** A body, decoded; `truncated` when more than was allowed would have come. */
export type Body = { readonly body: Buffer; readonly truncated: boolean }

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }

/**
 * Reads a body to its end or to `maxBytes` decoded bytes, whichever comes first, and never holds more than that: a
 * small compressed body can be gigabytes of text. One layer of encoding is undone; more, or an unknown one, is a fault.
 */
export async function readBody(raw: Readable, encoding: string | undefined, maxBytes: number): Promise<Body> {
  raw.on('error', () => undefined) // destroying it half-read is an error to the stream, not to us
  const decoded = decode(raw, encoding)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of decoded) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    chunks.push(bytes.subarray(0, maxBytes - size))
    size += bytes.length
    if (size > maxBytes) break // leaving the loop destroys the stream
  }
  if (size > maxBytes) raw.destroy()
  return { body: Buffer.concat(chunks), truncated: size > maxBytes }
}

function decode(raw: Readable, encoding: string | undefined): Readable {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return raw
  const decoder = Object.entries(DECODERS).find(([known]) => known === name)?.[1]
  if (!decoder) {
    raw.destroy()
    throw new FetchFailed('encoding')
  }
  // The loop that reads the decoder sees the errors of both; the callback keeps them from being unhandled.
  return pipeline(raw, decoder(), () => undefined)
}
