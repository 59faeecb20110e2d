import type { Server } from './typed-server.ts'

/** Headers that keep a browser from doing with a response what it is not meant for, names in lower case. */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(publicUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** Sets them on every response of a route. One that set any of them itself keeps its own. */
export function setSecurityHeaders(app: Server, publicUrl: string | undefined): void {
  const headers = Object.entries(securityHeaders(publicUrl))
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value)
  })
}
