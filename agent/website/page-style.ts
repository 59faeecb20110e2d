/** Classes that a page's own style sheets hide, or show right to left. */
export type ClassMarks = { readonly hidden: ReadonlySet<string>; readonly reversed: ReadonlySet<string> }

const MAX_STYLE_CHARACTERS = 200_000
const STYLE_SHEET = /<style[^>]{0,300}>/gi
const CLASS_RULE = /\.([\w-]{1,80})\s{0,5}\{([^{}]{0,300})\}/g
const HIDES = /display\s{0,5}:\s{0,5}none/i
const REVERSES = /bidi-override/i

/** Finds the marked classes in the style sheets of a page. Simple rules (`.x { … }`) only; time is bounded. */
export function marksIn(html: string): ClassMarks {
  const hidden = new Set<string>()
  const reversed = new Set<string>()
  for (const [, name = '', body = ''] of styleText(html).matchAll(CLASS_RULE)) {
    if (HIDES.test(body)) hidden.add(name)
    if (REVERSES.test(body)) reversed.add(name)
  }
  return { hidden, reversed }
}

function styleText(html: string): string {
  const sheets: string[] = []
  let room = MAX_STYLE_CHARACTERS
  for (const { 0: tag, index } of html.matchAll(STYLE_SHEET)) {
    if (room <= 0) break
    const start = index + tag.length
    const end = html.indexOf('</style', start)
    const sheet = html.slice(start, Math.min(end < 0 ? html.length : end, start + room))
    room -= sheet.length
    sheets.push(sheet)
  }
  return sheets.join('\n')
}
