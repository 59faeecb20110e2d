import type { Server } from './typed-server.ts'

const WARNING =
  'a request came with X-Forwarded-For from an address that TRUSTED_PROXIES does not have, so its clients share one ' +
  'limit; if it is your proxy, add its address to TRUSTED_PROXIES'

/** Logs one warning when a proxy that is not trusted forwards a request. Its header is ignored. */
export function warnOfUntrustedProxy(app: Server): void {
  let warned = false
  app.addHook('onRequest', async ({ headers, ips = [], log, socket }) => {
    const isTrusted = ips.length > 1 // the peer, and the addresses that it names
    if (warned || isTrusted || headers['x-forwarded-for'] === undefined) return
    warned = true
    log.warn({ peer: socket.remoteAddress }, WARNING)
  })
}
