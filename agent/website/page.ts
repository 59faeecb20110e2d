import { type Handler, Parser } from 'htmlparser2'

/** An element: attributes with lower-case names and decoded entities. `text`: the text of a link and of its images. */
export type PageElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

/** The parts of an HTML page, in document order. */
export type Page = {
  /** Visible text. Inline elements run together (`info<b>@</b>shop.de`); a line break separates other elements. */
  readonly joined: string
  /** Visible text with a space at every tag. */
  readonly parted: string
  /** Text that a style reverses, and text marked as ROT13, as in the source. */
  readonly reversed: readonly string[]
  readonly rotated: readonly string[]
  readonly scripts: readonly string[]
  readonly jsonLd: readonly string[]
  /** Elements that have attributes. */
  readonly elements: readonly PageElement[]
}

/** The most characters of a page that are read. The agent's client reads no more bytes. */
export const MAX_PAGE_CHARACTERS = 1_500_000

/** The longest URL on a page that is read. Longer ones are attacks. */
export const MAX_URL = 2_048

/**
 * The most tags of a page that are read. The parser searches its stack for every tag, so its time is quadratic in open
 * tags: 500,000 took 20 s, this many about one. Real pages of 1.5 MB have about 30,000.
 */
export const MAX_TAGS = 60_000

/** Stands in the text of a page for a picture or icon of the sign `@`. A character of private use. */
export const AT_PICTURE = '\ue000'

const INLINE = new Set(
  'abbr b bdi bdo big cite code del em font i ins kbd mark s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
)
const INVISIBLE = new Set(['style', 'template', 'iframe', 'object'])
const REVERSED_STYLE = /bidi-override|direction\s{0,5}:\s{0,5}rtl/i
const HIDDEN_STYLE = /display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden/i
const WHITE_SPACE = /[\t\n\f\r ]+/g
const ROT13 = /rot-?13/i
// Plugins have these classes in style sheets of their own.
const REVERSED_CLASS = /(?:^|[-_])(?:rtl|reversed?|backwards?|bidi)$/i
const HIDDEN_CLASS = /(?:^|[-_])nodis(?:play)?$/i

/** Reads a page of any size and content in bounded time. Ignores everything beyond the limits. Never throws. */
export function readPage(html: string): Page {
  const source = withinLimits(html)
  const parts: PageParts = { joined: [], parted: [], reversed: [], rotated: [], scripts: [], jsonLd: [], elements: [] }
  new Parser(partsReader(parts, marksIn(source))).end(source)
  const elements = parts.elements.map(({ pieces, ...element }) => ({ ...element, text: pieces.join('') }))
  return { ...parts, joined: parts.joined.join(''), parted: parts.parted.join(''), elements }
}

type PageParts = {
  joined: string[]
  parted: string[]
  reversed: string[]
  rotated: string[]
  scripts: string[]
  jsonLd: string[]
  elements: (Omit<PageElement, 'text'> & { pieces: string[] })[]
}

/** Returns the base of a page's links: its first `<base>` with an http(s) URL, else the page's own URL. */
export function linkBase(page: Page, pageUrl: URL): URL {
  const base = page.elements.find(({ name, attributes }) => name === 'base' && attributes.href !== undefined)
  const href = base?.attributes.href ?? ''
  const url = href.length > MAX_URL ? null : URL.parse(href, pageUrl.href)
  return url && /^https?:$/.test(url.protocol) ? url : pageUrl
}

function withinLimits(html: string): string {
  const source = html.slice(0, MAX_PAGE_CHARACTERS)
  let tags = 0
  for (const { index } of source.matchAll(/<[/a-z]/gi)) {
    tags += 1
    if (tags > MAX_TAGS) return source.slice(0, index)
  }
  return source
}

/** Where the text of an open element goes: a mark on it may send it to another list, or nowhere. */
type Destination = 'page' | 'reversed' | 'rotated' | 'nowhere'

/** An open element. */
type Frame = {
  readonly name: string
  readonly into: Destination
  /** The text of the link around it. */
  readonly link: string[] | undefined
  /** Set for a script: the list that its text goes to. */
  readonly scripts?: string[]
  /** Whether it is an icon of the sign `@`, until it has text of its own. */
  isIcon?: boolean
}

const OUTSIDE: Frame = { name: '', into: 'page', link: undefined }

/** Collects the parts of a page while it is parsed. No tree is built: that took half of the time. */
function partsReader(parts: PageParts, marks: ClassMarks): Partial<Handler> {
  const open: Frame[] = []
  /** How many elements are open whose content is not read. */
  let unread = 0
  let text = ''
  // The parser splits a text at each entity.
  const endText = () => {
    addText(text, open.at(-1) ?? OUTSIDE, parts)
    text = ''
  }
  const enter = (name: string, attributes: Record<string, string>): Frame | undefined => {
    const outer = open.at(-1) ?? OUTSIDE
    if (name === 'script') return { ...OUTSIDE, scripts: scriptsOf(attributes, parts) }
    const link = name === 'a' || name === 'area' ? [] : undefined
    if (Object.keys(attributes).length > 0) parts.elements.push({ name, attributes, pieces: link ?? [] })
    if (name === 'img' && attributes.alt) outer.link?.push(` ${attributes.alt} `)
    const isIcon = mayBeIcon(name, attributes)
    if (isAtImage(name, attributes) || (isIcon && name === 'svg')) return void addAtPicture(parts)
    if (INVISIBLE.has(name)) return undefined
    parts.joined.push(separator(name))
    parts.parted.push(' ')
    return { name, into: destination(name, attributes, outer.into, marks), link: link ?? outer.link, isIcon }
  }
  const leave = ({ name, isIcon }: Frame) => {
    if (isIcon) addAtPicture(parts)
    else parts.joined.push(separator(name))
  }
  return {
    ontext(piece) {
      if (unread === 0) text += piece
    },
    oncomment: endText,
    onopentag(name, attributes) {
      endText()
      const frame = unread === 0 ? enter(name, attributes) : undefined
      if (frame) open.push(frame)
      else unread += 1
    },
    onclosetag() {
      if (unread > 0) {
        unread -= 1
        return
      }
      endText()
      const frame = open.pop()
      if (frame && !frame.scripts) leave(frame)
    },
    onend: endText,
  }
}

function addAtPicture({ joined, parted }: PageParts): void {
  joined.push(AT_PICTURE)
  parted.push(AT_PICTURE)
}

function separator(name: string): string {
  return INLINE.has(name) ? '' : '\n'
}

function addText(source: string, frame: Frame, parts: PageParts): void {
  if (frame.scripts) return void frame.scripts.push(source)
  if (source === '') return
  const text = source.replace(WHITE_SPACE, ' ') // as a browser shows it, without the line breaks of the source
  if (text.trim() !== '') frame.isIcon = false
  frame.link?.push(text)
  if (frame.into === 'page') {
    parts.joined.push(text)
    parts.parted.push(text)
  } else if (frame.into !== 'nowhere') {
    parts[frame.into].push(text)
  }
}

const ICONS = new Set(['i', 'svg', 'span', 'em'])
const AT_CLASS = /(?:^|[\s_-])(?:at|at-sign|arroba|arobase|klammeraffe|alternate-email)(?:$|\s)/i
const AT_ALT = /^[\s([{]*(?:@|at|ät|arroba|arobase|chiocciola|klammeraffe)[\s)\]}]*$/i
const AT_FILE =
  /(?:^|[/_-])(?:at|at-?sign|at-?symbol|arroba|arobase|klammeraffe|chiocciola)\.(?:png|gif|svg|jpe?g|webp)(?:$|\?)/i

/** Whether an element is a picture of the sign `@`. */
const isAtImage = (name: string, { alt = '', src = '' }: Record<string, string>): boolean =>
  name === 'img' && (AT_ALT.test(alt) || AT_FILE.test(src))

/** Whether a style sheet shows the sign `@` in an element, if it has no text of its own. */
const mayBeIcon = (name: string, attributes: Record<string, string>): boolean =>
  ICONS.has(name) && AT_CLASS.test(attributes.class ?? '')

const scriptsOf = ({ type = '' }: Record<string, string>, { jsonLd, scripts }: PageParts): string[] =>
  /ld\+json/i.test(type) ? jsonLd : scripts

function destination(
  tag: string,
  attributes: Record<string, string>,
  outer: Destination,
  marks: ClassMarks,
): Destination {
  if (outer !== 'page') return outer
  const { style = '', class: classes = '' } = attributes
  const names = classes === '' ? [] : classes.split(/\s+/)
  const isReversed = names.some((name) => marks.reversed.has(name) || REVERSED_CLASS.test(name))
  if (REVERSED_STYLE.test(style) || isReversed) return rightToLeft(tag)
  if (ROT13.test(classes) || 'data-rot13' in attributes) return 'rotated'
  // Hidden pieces within a line are traps for crawlers. A hidden block is a menu or a dialog that is shown later.
  const isHidden =
    HIDDEN_STYLE.test(style) ||
    'hidden' in attributes ||
    names.some((name) => marks.hidden.has(name) || HIDDEN_CLASS.test(name))
  return isHidden && INLINE.has(tag) ? 'nowhere' : 'page'
}

// Pages in Arabic or Hebrew are right to left without being reversed: there large elements have the direction.
const rightToLeft = (tag: string): Destination => (INLINE.has(tag) || tag === 'a' ? 'reversed' : 'page')

/** Classes that the style sheets of a page hide or reverse. */
type ClassMarks = { readonly hidden: ReadonlySet<string>; readonly reversed: ReadonlySet<string> }

const MAX_STYLE_CHARACTERS = 200_000
// Old pages put their style sheet into a comment.
const STYLE_SHEET = /<style[^>]{0,300}>(?:\s{0,20}<!--)?([^<]*)/gi
const CLASS_RULE = /\.([\w-]{1,80})\s{0,5}\{([^{}]{0,300})\}/g
const HIDES = /display\s{0,5}:\s{0,5}none/i
const REVERSES = /bidi-override/i

/** Finds these classes in the style sheets of a page. Reads only simple rules (`.x { … }`), in bounded time. */
function marksIn(html: string): ClassMarks {
  const sheets = [...html.matchAll(STYLE_SHEET)].map(([, sheet = '']) => sheet).join('\n')
  const rules = [...sheets.slice(0, MAX_STYLE_CHARACTERS).matchAll(CLASS_RULE)]
  const classesOf = (mark: RegExp) =>
    new Set(rules.filter(([, , body = '']) => mark.test(body)).map(([, name = '']) => name))
  return { hidden: classesOf(HIDES), reversed: classesOf(REVERSES) }
}

const MAIL_CODE = /mail|crypt|contact/i
const SIGN_IN_SCRIPT = /mailto|fromCharCode|atob\(|%40|\\x40|\\u0040|&#(?:64|x40);|["'`]@["'`]/i
const HANDLERS = ['onclick', 'onmousedown', 'onmouseover', 'onfocus']
/** A page with a script, no link and less text than this is an empty shell. */
const SHELL_TEXT = 200

/** Returns whether a page is an empty shell, or its code builds an address. */
export function showsMoreByScript(page: Page): boolean {
  return isShell(page) || page.elements.some(isMailCode) || page.scripts.some((script) => SIGN_IN_SCRIPT.test(script))
}

function isShell({ joined, elements, scripts }: Page): boolean {
  const hasLink = elements.some(({ name, attributes }) => name === 'a' && attributes.href !== undefined)
  return scripts.length > 0 && !hasLink && joined.trim().length < SHELL_TEXT
}

function isMailCode({ attributes }: Page['elements'][number]): boolean {
  const code = HANDLERS.map((handler) => attributes[handler] ?? '')
  if (/^\s{0,9}javascript:/i.test(attributes.href ?? '')) code.push(attributes.href ?? '')
  return code.some((text) => MAIL_CODE.test(text))
}
