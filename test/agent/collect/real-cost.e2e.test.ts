import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { simulatedCertificate, trustSimulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { AS_LARGE_AS_REAL } from '@placefleet/deploy/simulation/map-site/options'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { comparable } from '../../harness/agents/comparable.ts'
import { collecting, taskOf } from './collecting.ts'

/** Starts a site with TLS, HTTP/2 and places of recorded sizes, as benchmarks and the demo do. */
async function largeSite() {
  const site = await startMapSite({
    seed: 7,
    places: 60,
    certificate: simulatedCertificate(),
    options: AS_LARGE_AS_REAL,
  })
  onTestFinished(() => site.close())
  return site
}

function trusting(): void {
  const [before, file] = [getCACertificates(), process.env.NODE_EXTRA_CA_CERTS]
  trustSimulatedCertificate()
  onTestFinished(() => {
    setDefaultCACertificates(before)
    if (file === undefined) delete process.env.NODE_EXTRA_CA_CERTS
    else process.env.NODE_EXTRA_CA_CERTS = file
  })
}

test.each(['http', 'browser'] as const)('places over TLS and HTTP/2 by %s are whole', async (rung) => {
  const site = await largeSite()
  trusting()
  const { run } = collecting({ mapsBaseUrl: site.url, rung })
  const wanted = [1, 2, 3].map((index) => site.city.place(index))
  const { places } = await run(taskOf({ kind: 'collect', references: wanted.map(({ place_key }) => ({ place_key })) }))
  expect(places).toHaveLength(3)
  for (const place of places) {
    const truth = wanted.find(({ place_key }) => place_key === place.place_key)
    expect(comparable(place)).toEqual(truth && comparable(truth))
  }
})

test.each(['http', 'browser'] as const)(
  'a site with a certificate that nobody trusts is not read by %s',
  async (rung) => {
    const site = await largeSite()
    const { run } = collecting({ mapsBaseUrl: site.url, rung, snoozes: 0 })
    const { end, places } = await run(taskOf({ kind: 'discover', keyword: 'bakery' }))
    expect(places).toEqual([])
    expect(end.kind).not.toBe('finished')
    expect(site.requests().total).toBe(0)
  },
)
