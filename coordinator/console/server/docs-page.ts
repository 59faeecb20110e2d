import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { Server } from '../../http/typed-server.ts'
import { DOCS } from '../dist.ts'

const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  persistAuth: false,
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Placefleet API</title>
  </head>
  <body>
    <script id="api-reference" data-configuration="${JSON.stringify(CONFIGURATION).replaceAll('"', '&quot;')}"></script>
    <script src="/docs/js/scalar.js"></script>
  </body>
</html>
`

// The script sets styles, some of them as attributes.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The script of the reference. The build keeps it compressed only: otherwise it has 4 MB. */
const SCRIPT = 'scalar.js.gz'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

const acceptsGzip = ({ 'accept-encoding': accepted = '' }: IncomingHttpHeaders): boolean =>
  /\bgzip\b/.test(String(accepted))

/**
 * Serves the API reference at /docs: Scalar's script, which the build of the console wrote, renders /openapi.json in
 * the browser. The page contacts no other host.
 */
export async function docsPage(scope: Server): Promise<void> {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'anyone' }
    route.schema = { ...route.schema, hide: true }
  })
  scope.addHook('onSend', async (_request, reply) => void reply.header('content-security-policy', POLICY))
  scope.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
  scope.get('/docs/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
  await scope.register(fastifyStatic, {
    root: DOCS,
    serve: false,
    decorateReply: true,
    maxAge: '1h',
    setHeaders: (reply) => {
      reply.header('content-type', SCRIPT_TYPE)
      reply.header('content-encoding', 'gzip')
    },
  })
  scope.get('/docs/js/scalar.js', async ({ headers }, reply) => {
    reply.header('vary', 'accept-encoding')
    if (acceptsGzip(headers)) return reply.sendFile(SCRIPT)
    return reply.type(SCRIPT_TYPE).send(createReadStream(join(DOCS, SCRIPT)).pipe(createGunzip()))
  })
}
