import { createGuard } from '@placefleet/agent/egress/guard'
import { searchInBrowser } from '@placefleet/agent/maps/search/browser'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../../harness/browser.ts'
import { serve } from '../../../harness/network/serve.ts'
import { collecting, keysOf, taskOf } from '../../collect/collecting.ts'
import { onTab } from '../requests/tabs.ts'
import { node, searchPayload, sparse } from '../sample.ts'

const open = sharedBrowser()
const never = new AbortController().signal
const KEYS = ['0x1:0x2', '0x1:0x3', '0x1:0x4']
const CARD_ONLY = '0x1:0x9'
const guarded = (keys: readonly string[]) =>
  `)]}'\n${JSON.stringify(searchPayload(keys.map((key) => node({ 10: key }))))}`

const asked: string[] = []
/**
 * A search page with the first answer in its state. Its script draws the list late, with a card of a place without
 * data, and requests the rest when it is scrolled.
 */
const { url } = await serve((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://site')
  asked.push(pathname)
  if (pathname === '/search') return void response.end(guarded(KEYS.slice(1)))
  const state = JSON.stringify(sparse({ 3: [null, null, guarded(KEYS.slice(0, 2))] })).replaceAll('<', '\\u003c')
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>cafe - Maps</title><body><script>
    window.APP_INITIALIZATION_STATE=${state};window.APP_FLAGS=[];
    setTimeout(() => {
      document.body.innerHTML = '<div role="feed"><a href="/maps/place/Bar/data=!1s${CARD_ONLY}" aria-label="Bar"></a><div class="lXJj5c"></div></div>'
      document.querySelector('[role=feed]').addEventListener('scroll', () =>
        fetch('/search?tbm=map&pb=x').then(() => document.querySelector('.lXJj5c').remove()), { once: true })
    }, 300)
  </script>`)
}, afterAll)

test('a search page gives the places that it holds and draws before it is scrolled, and then those that it requests', async () => {
  const base = new URL(url)
  const { egress, browsers } = await open(createGuard(new Set(), base.origin))
  const session = await browsers.open(egress.grant('direct'), 'en', never)
  onTestFinished(() => session.close())
  const rounds: string[][] = []
  const end = await session.withPage(
    onTab(base, (tab) =>
      searchInBrowser(tab, { query: 'cafe' }, { pages: 5 }, (hits) => {
        if (rounds.length === 0) expect(asked).not.toContain('/search')
        rounds.push(hits.map(({ place }) => place.place_key))
      }),
    ),
    { timeoutMs: 60_000, signal: never },
  )
  expect(rounds).toEqual([[...KEYS.slice(0, 2), CARD_ONLY], KEYS.slice(2)])
  expect(end).toMatchObject({ hasPlaces: true, cut: false })
})

test.each([
  { fast_mode: false, keys: [...KEYS, CARD_ONLY], limited: 0 },
  { fast_mode: true, keys: KEYS, limited: 1 },
])('a place without data is listed by its card, and missed in fast mode: $fast_mode', async (expected) => {
  const { fast_mode, keys, limited } = expected
  const { run } = collecting({ mapsBaseUrl: url, rung: 'browser', open })
  const parameters = { fast_mode, max_reviews: 0 }
  const { places, references, end } = await run(taskOf({ kind: 'discover', keyword: 'cafe' }, { parameters }))
  expect(keysOf([...places, ...references])).toEqual(keys)
  expect(end.outcomes.limited).toBe(limited)
})
