import { once } from 'node:events'
import { connect } from 'node:http2'
import { get } from 'node:https'
import { text } from 'node:stream/consumers'
import { simulatedCertificate } from '@placefleet/deploy/simulation/map-site/certificate'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'

const certificate = simulatedCertificate()
const ca = certificate.cert

async function secureSite(options = {}) {
  const site = await startMapSite({ seed: 7, places: 300, options, certificate })
  onTestFinished(() => site.close())
  const session = connect(site.url, { ca })
  onTestFinished(() => session.destroy())
  return { site, session }
}

test('with a certificate the site speaks HTTP/2', async () => {
  const { session } = await secureSite()
  const stream = session.request({ ':path': '/maps?hl=de' })
  const [headers] = await once(stream, 'response')
  expect(headers[':status']).toBe(200)
  expect(headers['set-cookie']).toHaveLength(1)
  expect(await text(stream)).toContain('APP_INITIALIZATION_STATE')
})

test('a broken answer breaks its stream and leaves the others of the connection', async () => {
  const { site, session } = await secureSite({ failureRate: 1 })
  const outcomes = new Set<string>()
  for (let nth = 0; nth < 12; nth++) {
    const stream = session.request({ ':path': '/maps' })
    outcomes.add(
      await text(stream).then(
        () => 'answered',
        () => 'broken',
      ),
    )
  }
  expect(outcomes).toEqual(new Set(['answered', 'broken']))
  site.setOptions({ failureRate: 0 })
  expect(await text(session.request({ ':path': '/maps' }))).toContain('APP_INITIALIZATION_STATE')
})

test('clients of HTTP/1.1 are served too', async () => {
  const { site } = await secureSite()
  const [response] = await once(get(`${site.url}/maps`, { ca }), 'response')
  expect(response.httpVersion).toBe('1.1')
  expect(await text(response)).toContain('APP_INITIALIZATION_STATE')
})
