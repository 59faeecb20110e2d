import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { simulatedCertificate, trustSimulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { collectorOf, expectWhole } from './collecting.ts'

/** Starts a site with TLS, HTTP/2 and places of recorded sizes, as benchmarks and the demo do. */
async function largeSite() {
  const certificate = simulatedCertificate()
  const site = await startMapSite({ seed: 7, places: 60, certificate, options: AS_LARGE_AS_REAL })
  onTestFinished(() => site.close())
  return site
}

function trusting(): void {
  const before = getCACertificates()
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '')
  trustSimulatedCertificate()
  onTestFinished(() => {
    setDefaultCACertificates(before)
    vi.unstubAllEnvs()
  })
}

describe.each(['http', 'browser'] as const)('over TLS and HTTP/2 by %s', (rung) => {
  test('places are whole', async () => {
    const site = await largeSite()
    trusting()
    const { places } = await collectorOf(site, { rung }).collect([1, 2, 3])
    expect(places).toHaveLength(3)
    expectWhole(site.city, places)
  })

  test('a site with a certificate that nobody trusts is not read', async () => {
    const site = await largeSite()
    const { end, places } = await collectorOf(site, { rung, snoozes: 0 }).search()
    expect(places).toEqual([])
    expect(end.kind).not.toBe('finished')
    expect(site.requests().total).toBe(0)
  })
})
