import type { Answer } from '@placefleet/agent/maps/answers/classify'
import { afterAll, expect, test } from 'vitest'
import { serve } from '../../harness/network/serve.ts'
import { collecting, mapSite, taskOf } from './collecting.ts'

/** A site that answers everything with a page that nobody knows. */
const wall = await serve((_, response) => {
  response.writeHead(418, { 'content-type': 'text/html' }).end('<!doctype html><title>Prove that you are kind</title>')
}, afterAll)

const search = taskOf({ kind: 'discover', keyword: 'restaurant' }, { parameters: { depth: 1 } })

test('Chromium reports a page that nobody knows, as plain HTTP does', async () => {
  const unread: Answer[] = []
  const { run } = collecting({ mapsBaseUrl: wall.url, rung: 'browser', onUnknown: (answer) => unread.push(answer) })
  const { end } = await run(search)
  expect(end.kind).not.toBe('finished')
  const reported = unread.filter(({ url }) => new URL(url).pathname.startsWith('/maps/search/restaurant'))
  expect(reported[0]).toMatchObject({ status: 418, text: expect.stringContaining('Prove that you are kind') })
})

test('Chromium reports nothing of a site whose answers it knows', async () => {
  const unread: Answer[] = []
  const site = await mapSite({}, 30)
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser', onUnknown: (answer) => unread.push(answer) })
  expect(await run(search)).toMatchObject({ end: { kind: 'finished' } })
  expect(unread).toEqual([])
})
