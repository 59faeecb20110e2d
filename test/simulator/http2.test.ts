import { once } from 'node:events'
import { connect } from 'node:http2'
import { get } from 'node:https'
import { text } from 'node:stream/consumers'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../harness/network/certificates.ts'

async function secureSite(options = {}) {
  const authority = await createAuthority()
  const certificate = await authority.issue(['127.0.0.1'])
  const site = await startMapSite({ seed: 7, places: 300, options, certificate })
  onTestFinished(() => site.close())
  return { site, ca: authority.ca }
}

function session(url: string, ca: string) {
  const opened = connect(url, { ca })
  onTestFinished(() => opened.destroy())
  return opened
}

test('with a certificate the site speaks HTTP/2', async () => {
  const { site, ca } = await secureSite()
  expect(site.url).toMatch(/^https:/)
  const stream = session(site.url, ca).request({ ':path': '/maps?hl=de' })
  const [headers] = await once(stream, 'response')
  expect(headers[':status']).toBe(200)
  expect(headers['set-cookie']).toHaveLength(1)
  expect(await text(stream)).toContain('APP_INITIALIZATION_STATE')
})

test('a broken answer breaks its stream and leaves the others of the connection', async () => {
  const { site, ca } = await secureSite({ failureRate: 1 })
  const opened = session(site.url, ca)
  const outcomes = new Set<string>()
  for (let nth = 0; nth < 12; nth++) {
    const stream = opened.request({ ':path': '/maps' })
    outcomes.add(
      await text(stream).then(
        () => 'answered',
        () => 'broken',
      ),
    )
  }
  expect(outcomes).toEqual(new Set(['answered', 'broken']))
  site.setOptions({ failureRate: 0 })
  expect(await text(opened.request({ ':path': '/maps' }))).toContain('APP_INITIALIZATION_STATE')
})

test('clients of HTTP/1.1 are served too', async () => {
  const { site, ca } = await secureSite()
  const [response] = await once(get(`${site.url}/maps`, { ca }), 'response')
  expect(response.httpVersion).toBe('1.1')
  expect(await text(response)).toContain('APP_INITIALIZATION_STATE')
})
