import { createSecureServer } from 'node:http2'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { parseAllowHosts } from '@placefleet/shared/egress/target'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../harness/network/certificates.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'

/**
 * Returns a server with a certificate that is trusted during the test; it answers with the HTTP version of the request.
 */
async function secureServer() {
  const authority = await createAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  onTestFinished(() => setDefaultCACertificates(before))
  const identity = await authority.issue(['127.0.0.1'])
  const server = createSecureServer({ ...identity, allowHTTP1: true }, (request, response) => {
    response.end(request.httpVersion)
  })
  return (await listenOnFreePort(server)).host
}

test.each(['directly', 'through a proxy'])('HTTP/2 is used if the server offers it, %s', async (way) => {
  const host = await secureServer()
  const proxy = await startForwardProxy({ resolve: () => undefined })
  onTestFinished(() => proxy.close())
  const guard = createGuard(parseAllowHosts(`${host},${new URL(proxy.url).host}`), `https://${host}`)
  const egress = await startEgressProxy(guard, createLogger('test', 'silent'))
  onTestFinished(() => egress.close())
  const client = createHttpClient(guard, way === 'directly' ? undefined : egress.grant({ proxy: proxy.url }))
  onTestFinished(() => client.close())
  const { signal } = new AbortController()
  const get = () => client.fetch({ url: `https://${host}/`, signal, timeoutMs: 5_000, maxBytes: 100 })
  const [answer, again] = [await get(), await get()]
  expect([answer, again].map(({ body }) => body.toString())).toEqual(['2.0', '2.0'])
})
