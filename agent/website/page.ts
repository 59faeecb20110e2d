import { type CheerioAPI, load } from 'cheerio/slim'

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

type Node = ReturnType<ReturnType<CheerioAPI['root']>['contents']>[number]
type Tag = Extract<Node, { attribs: object }>

type PageParts = {
  joined: string[]
  parted: string[]
  reversed: string[]
  rotated: string[]
  scripts: string[]
  jsonLd: string[]
  elements: (Omit<PageElement, 'text'> & { pieces: string[] })[]
}

/** The list that text of the open element goes to: the page's text, or another one because of a mark on the element. */
type Context = { readonly into: 'page' | 'reversed' | 'rotated' | 'nowhere'; readonly link: string[] | undefined }

/** Reads a page of any size and content in bounded time. Ignores everything beyond the limits. Never throws. */
export function readPage(html: string): Page {
  const source = withinLimits(html)
  const nodes = load(source, { xml: { xmlMode: false } })
    .root()
    .contents()
    .toArray()
  const collected: PageParts = {
    joined: [],
    parted: [],
    reversed: [],
    rotated: [],
    scripts: [],
    jsonLd: [],
    elements: [],
  }
  walk(nodes, collected, marksIn(source))
  const elements = collected.elements.map(({ pieces, ...element }) => ({ ...element, text: pieces.join('') }))
  return { ...collected, joined: collected.joined.join(''), parted: collected.parted.join(''), elements }
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

type Frame = { readonly nodes: readonly Node[]; next: number; readonly end: string; readonly context: Context }

// A page can nest deeper than the call stack, so the walk has its own stack.
function walk(roots: readonly Node[], collected: PageParts, marks: ClassMarks): void {
  const open: Frame[] = [{ nodes: roots, next: 0, end: '', context: { into: 'page', link: undefined } }]
  for (let frame = open.at(-1); frame; frame = open.at(-1)) {
    const node = frame.nodes[frame.next]
    frame.next += 1
    if (!node) {
      collected.joined.push(frame.end)
      open.pop()
    } else if (node.type === 'text') {
      addText(node.data, frame.context, collected)
    } else if ('attribs' in node) {
      const context = enter(node, frame.context, collected, marks)
      if (context) open.push({ nodes: node.children, next: 0, end: separator(node.name), context })
    }
  }
}

function separator(name: string): string {
  return INLINE.has(name) ? '' : '\n'
}

function addText(source: string, { into, link }: Context, collected: PageParts): void {
  const text = source.replace(WHITE_SPACE, ' ') // as a browser shows it, without the line breaks of the source
  link?.push(text)
  if (into === 'page') {
    collected.joined.push(text)
    collected.parted.push(text)
  } else if (into !== 'nowhere') {
    collected[into].push(text)
  }
}

/** Records an element and returns the context of its children. Undefined when it holds no text of the page. */
function enter(tag: Tag, outer: Context, collected: PageParts, marks: ClassMarks): Context | undefined {
  const { name, attribs } = tag
  if (name === 'script') {
    addScript(tag, collected)
    return undefined
  }
  const link = name === 'a' || name === 'area' ? [] : undefined
  if (Object.keys(attribs).length > 0) collected.elements.push({ name, attributes: attribs, pieces: link ?? [] })
  if (name === 'img' && attribs.alt) outer.link?.push(` ${attribs.alt} `)
  if (isAtPicture(tag)) {
    collected.joined.push(AT_PICTURE)
    collected.parted.push(AT_PICTURE)
    return undefined
  }
  if (INVISIBLE.has(name)) return undefined
  collected.joined.push(separator(name))
  collected.parted.push(' ')
  return { into: destination(tag, outer, marks), link: link ?? outer.link }
}

const PICTURES = new Set(['img', 'i', 'svg', 'span', 'em'])
const AT_CLASS = /(?:^|[\s_-])(?:at|at-sign|arroba|arobase|klammeraffe|alternate-email)(?:$|\s)/i
const AT_ALT = /^[\s([{]*(?:@|at|ät|arroba|arobase|chiocciola|klammeraffe)[\s)\]}]*$/i
const AT_FILE =
  /(?:^|[/_-])(?:at|at-?sign|at-?symbol|arroba|arobase|klammeraffe|chiocciola)\.(?:png|gif|svg|jpe?g|webp)(?:$|\?)/i

function isAtPicture({ name, attribs, children }: Tag): boolean {
  if (!PICTURES.has(name)) return false
  if (name === 'img') return AT_ALT.test(attribs.alt ?? '') || AT_FILE.test(attribs.src ?? '')
  return (
    AT_CLASS.test(attribs.class ?? '') && !children.some((child) => child.type === 'text' && child.data.trim() !== '')
  )
}

function addScript({ attribs, children }: Tag, { jsonLd, scripts }: PageParts): void {
  const text = children.map((child) => (child.type === 'text' ? child.data : '')).join('')
  const list = /ld\+json/i.test(attribs.type ?? '') ? jsonLd : scripts
  list.push(text)
}

function destination(tag: Tag, outer: Context, marks: ClassMarks): Context['into'] {
  if (outer.into !== 'page') return outer.into
  const { style = '', class: classes = '', ...attributes } = tag.attribs
  const names = classes.split(/\s+/)
  const isReversed = names.some((name) => marks.reversed.has(name) || REVERSED_CLASS.test(name))
  if (REVERSED_STYLE.test(style) || isReversed) return rightToLeft(tag)
  if (ROT13.test(classes) || 'data-rot13' in attributes) return 'rotated'
  // Hidden pieces within a line are traps for crawlers. A hidden block is a menu or a dialog that is shown later.
  const hidden =
    HIDDEN_STYLE.test(style) ||
    'hidden' in attributes ||
    names.some((name) => marks.hidden.has(name) || HIDDEN_CLASS.test(name))
  return hidden && INLINE.has(tag.name) ? 'nowhere' : 'page'
}

// Pages in Arabic or Hebrew are right to left without being reversed: there large elements have the direction.
function rightToLeft({ name }: Tag): Context['into'] {
  return INLINE.has(name) || name === 'a' ? 'reversed' : 'page'
}

/** Classes that the style sheets of a page hide or reverse. */
type ClassMarks = { readonly hidden: ReadonlySet<string>; readonly reversed: ReadonlySet<string> }

const MAX_STYLE_CHARACTERS = 200_000
const STYLE_SHEET = /<style[^>]{0,300}>/gi
const CLASS_RULE = /\.([\w-]{1,80})\s{0,5}\{([^{}]{0,300})\}/g
const HIDES = /display\s{0,5}:\s{0,5}none/i
const REVERSES = /bidi-override/i

/** Finds these classes in the style sheets of a page. Reads only simple rules (`.x { … }`), in bounded time. */
function marksIn(html: string): ClassMarks {
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

const MAIL_CODE = /mail|crypt|contact/i
const SIGN_IN_SCRIPT = /mailto|fromCharCode|atob\(|%40|\\x40|\\u0040|&#(?:64|x40);|["'`]@["'`]/i
const HANDLERS = ['onclick', 'onmousedown', 'onmouseover', 'onfocus']
/** A page with a script, no link and less text than this is an empty shell. */
const SHELL_TEXT = 200

/**
 * Returns whether a page may show an address after its scripts have run: it is an empty shell, or its code builds an
 * address.
 */
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
