const MARKS: readonly [label: string, mark: Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]
/** Browsers look for the charset of a page in its first bytes only (WHATWG HTML, "prescan a byte stream"). */
const PRESCAN_BYTES = 1_024
const LABEL = /charset\s*=\s*["']?\s*([\w:.()-]+)/i
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const META = /<meta[\s/][^>]*/gi
const XML = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w:.()-]+)/i
const UTF_16 = /^utf-16/
const UTF_8 = 'utf-8'

/**
 * The charset in which browsers read a page (WHATWG HTML, "determining the character encoding"): that of its byte order
 * mark, else the first known one of its header, its meta elements and its XML declaration, else UTF-8.
 */
export function charsetOf(body: Buffer, contentType: string): string {
  const marked = MARKS.find(([, mark]) => body.subarray(0, mark.length).equals(mark))?.[0]
  return marked ?? known(LABEL.exec(contentType)?.[1]) ?? declared(body.subarray(0, PRESCAN_BYTES)) ?? UTF_8
}

function declared(head: Buffer): string | undefined {
  const text = head.toString('latin1')
  const metas = text.replace(COMMENT, '').match(META) ?? []
  const labels = [...metas.map((meta) => LABEL.exec(meta)?.[1]), XML.exec(text)?.[1]]
  const charset = labels.map(known).find((label) => label !== undefined)
  // Whoever could read the declaration byte by byte was not reading UTF-16.
  return charset !== undefined && UTF_16.test(charset) ? UTF_8 : charset
}

function known(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined // a word that names no charset
  }
}
