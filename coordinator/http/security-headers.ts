import type { Server } from './typed-server.ts'

/** Returns the headers that keep browsers from misusing a response, with names in lower case. */
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

/** Sets the security headers on every response. A route that sets one of them itself keeps its value. */
export function setSecurityHeaders(app: Server, publicUrl: string | undefined): void {
  const headers = Object.entries(securityHeaders(publicUrl))
  app.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value)
  })
}
