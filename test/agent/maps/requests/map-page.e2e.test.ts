import { createGuard } from '@placefleet/agent/egress/guard'
import type { MapFailed } from '@placefleet/agent/maps/requests/failure'
import { openMapPage } from '@placefleet/agent/maps/requests/map-page'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../../harness/browser.ts'
import { describeEachChromium } from '../../../harness/chromiums.ts'
import { serve } from '../../../harness/network/serve.ts'
import { onTab } from './tabs.ts'

const PAGE = '<!doctype html><title>a page of the site</title>'
const { signal } = new AbortController()

/** A site whose path is the status of its answer. `?body` fills it, and `/to/PATH` redirects. */
const { url: origin } = await serve((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://site')
  if (pathname.startsWith('/to/')) response.writeHead(302, { location: pathname.slice(3) })
  else response.writeHead(Number(pathname.slice(1)), { 'retry-after': '7' })
  response.end(searchParams.has('body') ? PAGE : '')
}, afterAll)

await describeEachChromium((env) => {
  const open = sharedBrowser({ env })

  /** Opens the paths one after the other on a page. Returns the failure of the last. */
  async function failureOf(...paths: string[]): Promise<MapFailed> {
    const { egress, browsers } = await open(createGuard(new Set(), origin))
    const session = await browsers.open(egress.grant('direct'), 'en', signal)
    onTestFinished(() => session.close())
    const opened = session.withPage(
      onTab(new URL(origin), async (tab) => {
        for (const path of paths) await openMapPage(tab, new URL(path, origin))
      }),
      { timeoutMs: 20_000, signal },
    )
    return opened.then(
      () => expect.fail('the page was opened'),
      (error) => error,
    )
  }

  test.each([
    [429, 'exit_refused'],
    [403, 'exit_refused'],
    [404, 'not_found'],
    [503, 'unavailable'],
    [592, 'proxy_failed'],
  ])('the status %i means the same with a page and alone', async (status, fault) => {
    const details = { retryAfterMs: 7_000 }
    expect(await failureOf('/200?body', `/${status}?body`)).toMatchObject({ fault, details })
    expect(await failureOf('/200?body', `/${status}`)).toMatchObject({ fault, details })
  })

  test('a redirect to a refusal is a refusal', async () => {
    expect(await failureOf('/to/429')).toMatchObject({ fault: 'exit_refused' })
  })
})
