/** The encodings of files that spreadsheets save as text. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * Returns the encoding of a text by its first bytes: by its byte order mark, else by where the zeros are that UTF-16
 * has beside each ASCII character.
 */
export function encodingOf(head: Uint8Array): Encoding {
  const sample = head.subarray(0, 512)
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le'
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) * 4 < sample.length) return 'utf-8'
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** Decodes bytes as they arrive, without the byte order mark. Invalid bytes become U+FFFD. */
export async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/**
 * Returns what separates the columns of a text: what its first line says (`sep=;`), else the sign that this line has
 * most of outside of quotes.
 */
export function delimiterOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/, 1)
  const said = /^"?sep=(.)/i.exec(line)?.[1]
  if (said !== undefined) return said
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}
