import { checkPaths, USUAL_QUESTION } from '@placefleet/agent/doctor/check-paths'
import { beforeEach, expect, test } from 'vitest'
import { brokenChromium } from '../../harness/browser.ts'
import { collecting, mapSite, taskOf } from './collecting.ts'

const DISCOVER = { kind: 'discover', keyword: 'bakery' } as const

beforeEach(brokenChromium)

test('a Chromium that does not start is a failure of the agent, not of the site', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'browser' })
  const references = [0, 1, 2, 3].map((index) => ({ place_key: site.city.place(index).place_key }))

  for (const work of [DISCOVER, { kind: 'collect', references } as const]) {
    const { end } = await run(taskOf(work))
    expect(end).toMatchObject({
      kind: 'failed',
      code: 'chromium_unavailable',
      outcomes: { broken: 0, blocked: 0, timeout: 0 },
    })
    expect(end).toMatchObject({ message: expect.stringContaining('Chromium') })
  }
  expect(site.requests().kinds).toEqual({})
})

test('where the site wants Chromium, one that cannot be started is named rather than the site', async () => {
  const site = await mapSite({ blockPlainHttp: true })
  const { run } = collecting({ mapsBaseUrl: site.url })
  const { end } = await run(taskOf(DISCOVER))
  expect(end).toMatchObject({
    kind: 'failed',
    code: 'chromium_unavailable',
    message: expect.stringMatching(/^Chromium cannot start\. .*doctor:chromium/),
  })
})

test('where the site trims plain HTTP, cut places say that Chromium was needed and could not start', async () => {
  const site = await mapSite({ trimPlainHttp: true })
  const { run } = collecting({ mapsBaseUrl: site.url })
  const references = [0, 1, 2, 3].map((index) => ({ place_key: site.city.place(index).place_key }))
  const { end } = await run(taskOf({ kind: 'collect', references }))
  expect(end).toMatchObject({ kind: 'finished', limited_reason: 'chromium_unavailable', outcomes: { limited: 4 } })
})

test('where the agent may use no Chromium, only the site is to blame for cut places', async () => {
  const site = await mapSite({ trimPlainHttp: true })
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const references = [0, 1, 2, 3].map((index) => ({ place_key: site.city.place(index).place_key }))
  const { end } = await run(taskOf({ kind: 'collect', references }))
  expect(end).toMatchObject({ kind: 'finished', limited_reason: undefined })
  expect(end.outcomes.limited).toBeGreaterThan(0)
})

test('an open site is collected without a Chromium that starts', async () => {
  const site = await mapSite()
  const { run } = collecting({ mapsBaseUrl: site.url })
  expect((await run(taskOf(DISCOVER))).end).toMatchObject({ kind: 'finished', outcomes: { broken: 0 } })
})

test('the check of the paths says that Chromium does not start, and blames no exit', async () => {
  const site = await mapSite()
  const { collector } = collecting({ mapsBaseUrl: site.url })
  const { signal } = new AbortController()
  const { exits } = await checkPaths(await collector.access(), { question: USUAL_QUESTION, proxies: [], signal })
  expect(exits).toMatchObject([{ causes: ['chromium'] }])
  const verdicts = Map.groupBy(exits[0]?.paths ?? [], ({ rung }) => rung)
  expect(verdicts.get('http')?.every(({ verdict }) => verdict === 'whole')).toBe(true)
  expect(
    verdicts
      .get('browser')
      ?.map(({ verdict }) => verdict)
      .slice(0, 2),
  ).toEqual(['agent_failed', 'not_asked'])
})
