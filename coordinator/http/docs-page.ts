import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastify, { type FastifyInstance } from 'fastify'
import { loadedOnce } from './loaded-once.ts'
import type { Server } from './typed-server.ts'

const compress = promisify(gzip)

/** The page changes only with a release. */
const KEEP_SECONDS = 3_600

/**
 * Serves the API reference at /docs: Scalar renders /openapi.json with files from this server. Scripts need the nonce
 * of this process, and the page contacts no other host. The caller hides the routes from the document and makes them
 * public.
 */
export async function docsPage(scope: Server): Promise<void> {
  const nonce = randomBytes(16).toString('base64')
  const policy = contentPolicy(nonce)
  const compressed = loadedOnce((script: string) => compress(script))
  scope.addHook('onSend', async (request, reply, payload) => {
    reply.header('content-security-policy', policy)
    if (!request.url.endsWith('.js') || typeof payload !== 'string') return payload
    reply.headers({ 'cache-control': `public, max-age=${KEEP_SECONDS}`, vary: 'accept-encoding' })
    if (negotiate(request.headers['accept-encoding'] ?? '', ['gzip']) !== 'gzip') return payload
    const script = await compressed(payload)
    reply.headers({ 'content-encoding': 'gzip', 'content-length': script.length })
    return script
  })
  const scalar = loadedOnce(() => scalarPage(nonce))
  for (const path of ['/docs', '/docs/', '/docs/js/scalar.js']) {
    scope.get(path, async (request, reply) => {
      const { host } = request
      const { statusCode, headers, body } = await (await scalar()).inject({ url: request.url, headers: { host } })
      for (const name of ['content-type', 'location'])
        if (headers[name] !== undefined) reply.header(name, headers[name])
      return reply.code(statusCode).send(body)
    })
  }
}

/** Starts Scalar's own server. Its four megabytes of script are loaded when the page is first opened. */
async function scalarPage(nonce: string): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  await page.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      cdn: '/docs/js/scalar.js',
      nonce,
      pageTitle: 'Placefleet API',
      theme: 'default',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hiddenClients: true, // the document has its own samples
      persistAuth: false,
    },
  })
  return page
}

// The renderer's script sets styles, some of them as attributes.
const contentPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
