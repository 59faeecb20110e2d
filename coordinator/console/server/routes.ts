import { randomBytes } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../http/authentication.ts'
import { AppError } from '../../http/errors.ts'
import type { Server } from '../../http/typed-server.ts'
import { MAP_STYLE_PLACEHOLDER, NONCE_PLACEHOLDER, SITE } from '../dist.ts'
import { docsPage } from './docs-page.ts'

/**
 * Returns the content security policy of the console: its own files, and styles with the nonce of the page. No inline
 * script, no `blob:`, and no other host except the one of the map style, if set.
 */
function contentPolicy(nonce: string, mapStyleUrl: string | undefined): string {
  const map = mapStyleUrl === undefined ? '' : ` ${new URL(mapStyleUrl).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${map}`,
    "font-src 'self'",
    `connect-src 'self'${map}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
}

const ICON = join(import.meta.dirname, '..', 'src', 'icon.svg')

type ConsoleOptions = {
  /** A MapLibre style that replaces the built-in one. The built-in style needs no other host. */
  mapStyleUrl?: string | undefined
}

/** Browsers ask for text/html, and tools such as curl for anything. */
const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => /text\/html|\*\/\*/.test(accept)

/** Pages have no limit. A request for no page is answered with 404, and counts. */
const hidden = {
  schema: { hide: true },
  config: { access: (request: FastifyRequest) => (wantsPage(request) ? 'unlimited' : 'anyone') satisfies Access },
}

/** Serves the console below /console/, redirects `/` to it, and the API reference at /docs. */
export async function consoleRoutes(app: Server, { mapStyleUrl }: ConsoleOptions): Promise<void> {
  const redirectToConsole = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!wantsPage(request)) throw notFound()
    return reply.redirect('/console/', 302)
  }
  app.get('/', hidden, redirectToConsole)
  app.get('/console', hidden, redirectToConsole)
  serveIcon(app)
  if (existsSync(SITE)) {
    await app.register((scope) => serveAssets(scope, mapStyleUrl))
    await app.register(docsPage)
  }
  serveIndex(app, mapStyleUrl)
}

/** The icon of the API reference, of the guides and of bookmarks: browsers ask for it by this path on their own. */
function serveIcon(app: Server): void {
  const icon = readFile(ICON)
  app.get('/favicon.ico', { schema: { hide: true }, config: { access: 'unlimited' } }, async (_request, reply) =>
    reply
      .type('image/svg+xml')
      .header('cache-control', 'public, max-age=86400')
      .send(await icon),
  )
}

/**
 * Paths of files contain a hash, so browsers may cache them without a limit. The worker of the map obeys their policy.
 * Only the paths of files that exist, as browsers write them, are served. The plugin throws on many other spellings.
 */
async function serveAssets(scope: Server, mapStyleUrl: string | undefined): Promise<void> {
  const paths = new Set(globSync('{assets,base-map}/**', { cwd: SITE }).map((file) => `/console/${encodeURI(file)}`))
  const isFile = ({ url }: FastifyRequest) => paths.has(url.split('?', 1)[0] ?? '')
  scope.addHook('onRoute', (route) => {
    const access = (request: FastifyRequest): Access => (isFile(request) ? 'unlimited' : 'anyone')
    route.config = { ...route.config, access }
    route.schema = { ...route.schema, hide: true }
  })
  scope.addHook('onRequest', async (request) => {
    if (!isFile(request)) throw notFound()
  })
  const policy = contentPolicy(randomBytes(16).toString('base64'), mapStyleUrl)
  for (const folder of ['assets', 'base-map']) {
    await scope.register(fastifyStatic, {
      root: join(SITE, folder),
      prefix: `/console/${folder}/`,
      index: false,
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: '1y',
      setHeaders: (reply) => void reply.header('content-security-policy', policy),
    })
  }
}

/** Every page below /console/ is the same document. The browser chooses the page by the path. */
function serveIndex(app: Server, mapStyleUrl: string | undefined): void {
  const index = readFile(join(SITE, 'index.html'), 'utf8').catch(() => undefined)
  app.get('/console/*', hidden, async (request, reply) => {
    if (!wantsPage(request)) throw notFound()
    const page = await index
    if (page === undefined) {
      throw new AppError('unavailable', 'The console is not built. Run `npm run console:build`, then restart.')
    }
    const nonce = randomBytes(16).toString('base64')
    reply.headers({
      'content-security-policy': contentPolicy(nonce, mapStyleUrl),
      'cross-origin-opener-policy': 'same-origin',
    })
    const filled = page
      .replaceAll(NONCE_PLACEHOLDER, nonce)
      .replace(MAP_STYLE_PLACEHOLDER, () => escaped(mapStyleUrl ?? ''))
    return reply.type('text/html; charset=utf-8').send(filled)
  })
}

const notFound = () => new AppError('not_found', 'This path does not exist. See /docs for all paths.')

const escaped = (text: string): string => text.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`)
