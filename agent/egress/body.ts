import { pipeline, Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import { FetchFailed } from './failure.ts'

/** A decoded body. `truncated`: the body was longer than allowed. */
export type Body = { readonly body: Buffer; readonly truncated: boolean }

/** Two ways to decode: `atOnce` throws ERR_BUFFER_TOO_LARGE for a body of more than `maxOutputLength` bytes. */
type Decoder = {
  readonly stream: () => Transform
  readonly atOnce: (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Buffer
}

const GZIP: Decoder = { stream: zlib.createGunzip, atOnce: zlib.gunzipSync }
const RAW_DEFLATE: Decoder = { stream: zlib.createInflateRaw, atOnce: zlib.inflateRawSync }
const DECODERS = new Map<string, Decoder>([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['br', { stream: zlib.createBrotliDecompress, atOnce: zlib.brotliDecompressSync }],
  ['deflate', { stream: zlib.createInflate, atOnce: zlib.inflateSync }],
])
// Node has zstd since 22.15.
if ('createZstdDecompress' in zlib) {
  DECODERS.set('zstd', { stream: () => zlib.createZstdDecompress(), atOnce: zlib.zstdDecompressSync })
}

/** The encodings that can be decoded, for Accept-Encoding. */
export const ENCODINGS = ['gzip', 'deflate', 'br', 'zstd'].filter((name) => DECODERS.has(name)).join(', ')

// Encodings that cannot be decoded. Any other word is a mistake of the server ("none", "utf-8"), and the body is plain.
const UNREADABLE = new Set(['compress', 'x-compress', 'zstd', 'dcb', 'dcz'])

/** An encoded body that is longer by this factor than what is allowed is longer when decoded, too. */
const ENCODED_AT_MOST = 1.1
/** Text is rarely longer than this many times its encoded bytes. */
const USUAL_GROWTH = 12
/** The chunk size of Node, in bytes. */
const LEAST_CHUNK = 16_384

/**
 * Reads a body to its end or to `maxBytes` decoded bytes. The limit counts decoded bytes, because a small compressed
 * body can be gigabytes of text. Decodes one layer of encoding. As in browsers, `deflate` may lack its zlib header, and
 * unknown words are ignored. Throws FetchFailed('encoding') for more layers or an encoding that cannot be decoded.
 */
export async function readBody(raw: Readable, encoding: string | undefined, maxBytes: number): Promise<Body> {
  raw.on('error', () => undefined) // destroying a half-read stream is an error of the stream
  const named = decoderNamed(encoding ?? '', raw)
  const encoded = await readStream(raw, named ? maxBytes * ENCODED_AT_MOST : maxBytes)
  if (!named || encoded.body.length === 0) return encoded
  const decoder = named === DECODERS.get('deflate') && !hasZlibHeader(encoded.body) ? RAW_DEFLATE : named
  const decoded = decodeAtOnce(decoder, encoded.body, maxBytes)
  if (decoded) return { body: decoded, truncated: false }
  // The loop that reads the decoder gets its errors. The callback marks them as handled.
  const rest = pipeline(Readable.from([encoded.body]), decoder.stream(), () => undefined)
  return readStream(rest, maxBytes)
}

/** Undefined: the body is plain. */
function decoderNamed(encoding: string, raw: Readable): Decoder | undefined {
  const words = encoding.split(',').map((word) => word.trim().toLowerCase())
  const [name, ...rest] = words.filter((word) => DECODERS.has(word) || UNREADABLE.has(word))
  if (name === undefined) return undefined
  const decoder = DECODERS.get(name)
  if (decoder && rest.length === 0) return decoder
  raw.destroy()
  throw new FetchFailed('encoding')
}

// RFC 1950: the low half of the first byte is the method, 8. Raw deflate in use never begins with it.
const hasZlibHeader = (bytes: Buffer): boolean => (bytes.readUInt8(0) & 0x0f) === 8

/** Undefined for a body that is longer than allowed. A stream costs four times the CPU. */
function decodeAtOnce({ atOnce }: Decoder, bytes: Buffer, maxBytes: number): Buffer | undefined {
  try {
    // In one chunk, when it fits: more chunks are copied together.
    const chunkSize = Math.max(LEAST_CHUNK, bytes.length * USUAL_GROWTH)
    return atOnce(bytes, { maxOutputLength: maxBytes, chunkSize })
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw error
  }
}

async function readStream(stream: Readable, maxBytes: number): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    chunks.push(bytes.subarray(0, maxBytes - size))
    size += bytes.length
    if (size > maxBytes) break // leaving the loop destroys the stream
  }
  return { body: Buffer.concat(chunks), truncated: size > maxBytes }
}
