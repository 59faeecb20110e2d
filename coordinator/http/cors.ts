import type { Server } from './typed-server.ts'

/**
 * `*` with credentials is refused by browsers, so no cookie ever opens these paths to a page. It stands for all headers
 * but `Authorization`.
 */
const FOR_PAGES = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' }

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '3600', // seconds
}

/**
 * Lets pages of other sites, such as assistants that run in a browser, call these paths. None of them reads a cookie.
 */
export function openToPages(app: Server, paths: readonly string[]): void {
  app.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    if (!paths.includes(path)) return
    reply.headers(FOR_PAGES)
    const { origin, 'access-control-request-method': wanted } = request.headers
    if (request.method === 'OPTIONS' && origin !== undefined && wanted !== undefined)
      await reply.code(204).headers(PREFLIGHT).send()
  })
}
