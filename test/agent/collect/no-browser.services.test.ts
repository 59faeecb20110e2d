import { checkPaths, USUAL_QUESTION } from '@placefleet/agent/doctor/check-paths'
import { beforeEach, expect, test } from 'vitest'
import { brokenChromium } from '../../harness/browser.ts'
import { onSite } from './collecting.ts'

const FOUR = [0, 1, 2, 3]

beforeEach(brokenChromium)

test('a Chromium that does not start is a failure of the agent, not of the site', async () => {
  const { site, search, collect } = await onSite({}, { rung: 'browser' })
  for (const { end } of [await search(), await collect(FOUR)]) {
    expect(end).toMatchObject({
      kind: 'failed',
      code: 'chromium_unavailable',
      message: expect.stringContaining('Chromium'),
      outcomes: { broken: 0, blocked: 0, timeout: 0 },
    })
  }
  expect(site.requests().kinds).toEqual({})
})

test('where the site wants Chromium, one that cannot be started is named rather than the site', async () => {
  const { search } = await onSite({ blockPlainHttp: true }, { rung: 'auto' })
  const message = expect.stringMatching(/^Chromium cannot start\. .*doctor:chromium/)
  expect((await search()).end).toMatchObject({ kind: 'failed', code: 'chromium_unavailable', message })
})

test.each([
  ['auto', 'chromium_unavailable'],
  ['http', undefined],
] as const)(
  'where the site trims plain HTTP, the rung %s has for cut places the reason %s',
  async (rung, limited_reason) => {
    const { collect } = await onSite({ trimPlainHttp: true }, { rung })
    expect((await collect(FOUR)).end).toMatchObject({ kind: 'finished', limited_reason, outcomes: { limited: 4 } })
  },
)

test('an open site is collected without a Chromium that starts', async () => {
  const { search } = await onSite({}, { rung: 'auto' })
  expect((await search()).end).toMatchObject({ kind: 'finished', outcomes: { broken: 0 } })
})

test('the check of the paths says that Chromium does not start, and blames no exit', async () => {
  const { collector } = await onSite({}, { rung: 'auto' })
  const { signal } = new AbortController()
  const { exits } = await checkPaths(await collector.access(), { question: USUAL_QUESTION, proxies: [], signal })
  expect(exits).toMatchObject([{ causes: ['chromium'] }])
  const verdicts = Map.groupBy(exits[0]?.paths ?? [], ({ rung }) => rung)
  expect(verdicts.get('http')?.every(({ verdict }) => verdict === 'whole')).toBe(true)
  const inChromium = verdicts.get('browser')?.map(({ verdict }) => verdict)
  expect(inChromium?.slice(0, 2)).toEqual(['agent_failed', 'not_asked'])
})
