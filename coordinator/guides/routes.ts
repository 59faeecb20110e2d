import { createHash } from 'node:crypto'
import { loadedOnce } from '../cache.ts'
import { AppError } from '../http/errors.ts'
import type { Server } from '../http/typed-server.ts'
import { ALL_GUIDES, GUIDES, type Guide, readGuide, renderGuide } from './guides.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem 4rem }
  nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding-bottom: .75rem; border-bottom: 1px solid #8886 }
  h1, h2, h3 { line-height: 1.25; scroll-margin-top: 1rem }
  pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid #8886; border-radius: .375rem }
  code { font: .875em/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
  pre code { overflow-wrap: normal }
  table { display: block; overflow-x: auto; border-collapse: collapse }
  th, td { padding: .375rem .625rem; border: 1px solid #8886; text-align: left; vertical-align: top }
`

const POLICY = [
  "default-src 'none'",
  "img-src 'self'", // the icon
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the guides at /guides as pages, each also as Markdown at /guides/NAME.md, and /llms.txt, which lists them for
 * assistants.
 */
export async function guideRoutes(scope: Server): Promise<void> {
  const guides = ALL_GUIDES.map(readGuide)
  const pages = new Map(
    guides.map((guide) => [
      guide.name as string,
      loadedOnce(async () => page(guide.title, renderGuide(guide.markdown))),
    ]),
  )
  const texts = new Map(guides.map(({ name, markdown }) => [`${name}.md`, markdown]))
  const index = page('Guides', renderGuide(listOf(guides, (name) => `${name}.md`)))
  const summary = listOf(guides, (name) => `/guides/${name}.md`)

  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone' }
    route.schema = { ...route.schema, hide: true }
  })
  scope.addHook('onSend', async (_request, reply) => void reply.header('content-security-policy', POLICY))
  scope.get('/guides', async (_request, reply) => reply.type('text/html; charset=utf-8').send(index))
  scope.get('/llms.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(summary))
  scope.get<{ Params: { name: string } }>('/guides/:name', async ({ params }, reply) => {
    const text = texts.get(params.name)
    if (text !== undefined) return reply.type('text/markdown; charset=utf-8').send(text)
    const html = await pages.get(params.name)?.()
    if (html === undefined) throw new AppError('not_found', 'There is no such guide. /guides lists them.')
    return reply.type('text/html; charset=utf-8').send(html)
  })
}

/** Returns the list of all guides in the form of llmstxt.org: a title, a summary, and links under headings. */
function listOf(guides: readonly Guide[], addressOf: (name: string) => string): string {
  const section = (heading: string, names: readonly string[]) => [
    `## ${heading}`,
    '',
    ...guides
      .filter(({ name }) => names.includes(name))
      .map(({ name, title, summary }) => `- [${title}](${addressOf(name)}): ${summary}`),
    '',
  ]
  return [
    '# Placefleet',
    '',
    '> A self-hosted service that collects business listings from the public search of Google Maps, through a JSON API.',
    '',
    ...section('Guides', GUIDES.guides),
    ...section('Reference', GUIDES.reference),
    '## Machine-readable',
    '',
    '- [OpenAPI 3.1](/openapi.json): every call with its schema. [For people](/docs/).',
    '',
  ].join('\n')
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} · Placefleet</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <nav aria-label="Placefleet"><a href="/guides">Guides</a> <a href="/docs/">API reference</a> <a href="/console/">Console</a></nav>
    <main>${body}</main>
  </body>
</html>
`
}
