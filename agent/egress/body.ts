import { pipeline, type Readable, type Transform } from 'node:stream'
import zlib, { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { FetchFailed } from './failure.ts'

/** A body, decoded; `truncated` when more than was allowed would have come. */
export type Body = { readonly body: Buffer; readonly truncated: boolean }

const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])
// Node has it since 22.15.
if ('createZstdDecompress' in zlib) DECODERS.set('zstd', () => zlib.createZstdDecompress())

/** What can be read, as browsers name it. */
export const ENCODINGS = ['gzip', 'deflate', 'br', 'zstd'].filter((name) => DECODERS.has(name)).join(', ')

// What else compresses. Any other word is a mistake of the server ("none", "utf-8"), and its body comes as it is.
const UNREADABLE = new Set(['compress', 'x-compress', 'zstd', 'dcb', 'dcz'])

/**
 * Reads a body to its end or to `maxBytes` decoded bytes, whichever comes first, and never holds more than that: a
 * small compressed body can be gigabytes of text. One layer of encoding is undone; more, or one we cannot read, is a
 * fault. As in browsers, `deflate` may come without its zlib header, and words that name no encoding say nothing.
 */
export async function readBody(raw: Readable, encoding: string | undefined, maxBytes: number): Promise<Body> {
  raw.on('error', () => undefined) // destroying it half-read is an error to the stream, not to us
  const decoded = await decode(raw, encoding ?? '')
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

async function decode(raw: Readable, encoding: string): Promise<Readable> {
  const words = encoding.split(',').map((word) => word.trim().toLowerCase())
  const [name, ...others] = words.filter((word) => DECODERS.has(word) || UNREADABLE.has(word))
  if (name === undefined) return raw
  const decoder = DECODERS.get(name)
  if (!decoder || others.length > 0) {
    raw.destroy()
    throw new FetchFailed('encoding')
  }
  const create = name === 'deflate' && !(await hasZlibHeader(raw)) ? createInflateRaw : decoder
  // The loop that reads the decoder sees the errors of both; the callback keeps them from being unhandled.
  return pipeline(raw, create(), () => undefined)
}

// RFC 1950: the low half of the first byte names the method, 8. No block of raw deflate that is in use begins so.
async function hasZlibHeader(raw: Readable): Promise<boolean> {
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    raw.unshift(chunk)
    return Buffer.isBuffer(chunk) && ((chunk[0] ?? 0) & 0x0f) === 8
  }
  return true
}
