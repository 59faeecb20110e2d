import type { Socket } from 'node:net'
import { openNetwork } from '@placefleet/agent/collect/network'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createHttpClient } from '@placefleet/agent/egress/http-client'
import { createIdentity } from '@placefleet/agent/maps/requests/identity'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../../harness/network/serve.ts'
import { until } from '../../../harness/until.ts'
import { anExit } from './tabs.ts'

test('an identity still has its connection when a client of websites has closed its own', async () => {
  const connections = new Set<Socket>()
  const { url } = await serve((request, response) => {
    connections.add(request.socket)
    response.setHeader('connection', 'keep-alive') // so that Node does not say how long it keeps it
    response.end()
  })
  const [base, log] = [new URL(url), createLogger('test', 'silent')]
  const guard = createGuard(new Set(), base.origin)
  const network = await openNetwork(guard, { log, sandbox: false, onStart: () => undefined })
  const identity = createIdentity({ ...network, guard, base, log }, { exit: anExit(), locale: { language: 'en' } })
  const brief = createHttpClient(guard)
  onTestFinished(async () => {
    await Promise.all([identity.close(), brief.close()])
    await Promise.all([network.browsers.close(), network.egress.close()])
  })
  const { signal } = new AbortController()
  await identity.use(async () => {
    await identity.send({ url: base }, signal)
    await brief.fetch({ url: base, signal, timeoutMs: 10_000, maxBytes: 1_000 })
    const [, second] = connections
    await until('the client of websites closes its connection', () => second?.destroyed === true)
    await identity.send({ url: base }, signal)
  })
  expect(connections.size).toBe(2)
}, 20_000)
