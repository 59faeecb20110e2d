import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, type Token } from 'marked'
import { gfmHeadingId } from 'marked-gfm-heading-id'

/** The guides in the order of the index: a question of a reader, then the pages to look something up. */
export const GUIDES = {
  guides: [
    'start',
    'api',
    'jobs',
    'places',
    'exports',
    'webhooks',
    'monitors',
    'self-host',
    'agents',
    'operate',
    'kubernetes',
    'contribute',
    'architecture',
  ],
  reference: ['fields', 'errors', 'events', 'limits', 'metrics', 'settings', 'performance'],
} as const

export const ALL_GUIDES = [...GUIDES.guides, ...GUIDES.reference]

type GuideName = (typeof ALL_GUIDES)[number]

export type Guide = { name: GuideName; title: string; summary: string; markdown: string }

/** Reads a guide. Its title is the first heading, and its summary the first paragraph. */
export function readGuide(name: GuideName): Guide {
  const markdown = readFileSync(join(import.meta.dirname, `${name}.md`), 'utf8')
  const [, title, summary] = /^# (.+)\n+(?:<!--.*-->\n+)?((?:.+\n)+)/.exec(markdown) ?? []
  if (title === undefined || summary === undefined) throw new Error(`${name}.md has no title and first paragraph`)
  return { name, title, summary: summary.replaceAll('\n', ' ').trim(), markdown }
}

const names = new Set<string>(ALL_GUIDES)

/** Returns a guide as HTML. Links between guides lead to their pages; other files of the repository are only named. */
export function renderGuide(markdown: string): string {
  const marked = new Marked({ gfm: true, walkTokens: servedLink }, gfmHeadingId())
  return marked.parse(markdown, { async: false })
}

function servedLink(token: Token): void {
  if (token.type !== 'link' || typeof token.href !== 'string') return
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(token.href) ?? []
  if (names.has(name)) Object.assign(token, { href: `/guides/${name}${anchor}` })
  else if (!/^(https?:|#|\/)/.test(token.href)) {
    const file = token.href.replaceAll(/^(\.\.\/)+|#.*$/g, '')
    const text = `${token.text} (${file})`
    Object.assign(token, { type: 'text', raw: text, text, tokens: undefined })
  }
}
