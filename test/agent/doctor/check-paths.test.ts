import { createServer } from 'node:net'
import { checkPaths, USUAL_QUESTION } from '@placefleet/agent/doctor/check-paths'
import { exitCodeOf } from '@placefleet/agent/doctor/conclusion'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { CAUSES, type Cause, PathReport } from '@placefleet/shared/path-report'
import { pathReportText } from '@placefleet/shared/path-report-text'
import { describe, expect, test } from 'vitest'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { collecting, mapSite } from '../collect/collecting.ts'

const { signal } = new AbortController()

/** Checks a site over plain HTTP. */
async function checked(mapsBaseUrl: string, proxies: readonly string[] = []) {
  const { collector } = collecting({ mapsBaseUrl, rung: 'http' })
  const report = await checkPaths(await collector.access(), { question: USUAL_QUESTION, proxies, signal })
  expect(PathReport.parse(report)).toEqual(report)
  return report
}

const verdictsOf = ({ exits }: PathReport) =>
  Object.fromEntries((exits[0]?.paths ?? []).map(({ door, verdict }) => [door, verdict]))

test('on a good day every door is whole, asked once, and shown with what it brought', async () => {
  const site = await mapSite()
  const report = await checked(site.url)
  expect(report).toMatchObject({ healthy: true, exits: [{ exit: 'own address', causes: [] }] })
  expect(exitCodeOf(report)).toBe(0)
  expect(site.requests().kinds).toEqual({
    'maps-page': 1,
    'search-payload': 1,
    'place-payload': 1,
    reviews: 1,
  })
  const [front, search, place] = report.exits[0]?.paths ?? []
  expect(front).toMatchObject({ door: 'front page', status: 200, kind: 'page', cookies: ['NID'], consent: false })
  expect(search).toMatchObject({ door: 'search', status: 200, kind: 'payload', found: 20, missing: [] })
  expect(place).toMatchObject({ door: 'place', verdict: 'whole', found: 1, requests: 1 })
  expect(pathReportText(report)).toMatch(/^│ http +│ search +│ whole +│ 200 +│ payload +│ 1 +│ \d+ +│ \d+ +│ 20 +│$/m)
  const stranger = { ...report, site: 'a\u001b[2J', conclusion: 'b\u009b2J' }
  expect(pathReportText(stranger)).toContain('a\ufffd[2J')
  expect(pathReportText(stranger)).toContain('b\ufffd2J')
})

/** What a check says on each bad day. The doors that are not named are whole. */
const BAD_DAYS: [mode: Partial<SiteOptions>, verdicts: Record<string, string>, causes: Cause[]][] = [
  [{ blockPlainHttp: true }, { search: 'exit_refused', place: 'not_asked' }, ['refused']],
  [{ blockPlainHttp: true, refusalForm: 'enablejs' }, { search: 'needs_scripts' }, ['scripts']],
  [{ blocked: 'everyone' }, { 'front page': 'exit_refused', search: 'not_asked' }, ['refused']],
  [{ trimShares: { withNid: 1, withoutNid: 1 } }, { place: 'trimmed' }, ['limited']],
  [{ emptySearches: { first: 1, later: 1 } }, { search: 'doubtful_empty', place: 'not_asked' }, ['empty']],
  [{ outages: { 'search-payload': 500 } }, { search: 'unavailable', place: 'not_asked' }, ['network']],
  [{ outages: { 'place-payload': 404, 'place-page': 404 } }, { place: 'not_found' }, ['fields']],
  [{ localBoq: 'forbidden' }, { GetLocalBoqProxy: 'request_refused' }, []],
  [{ localBoq: 'garbage' }, { GetLocalBoqProxy: 'unknown' }, []],
  [{ localBoq: 'gone' }, { GetLocalBoqProxy: 'request_refused' }, []],
]

describe('on a bad day', () => {
  test.each(BAD_DAYS)('%j the doors tell what is wrong, and the exit code why', async (mode, verdicts, causes) => {
    const site = await mapSite(mode)
    const report = await checked(site.url)
    expect(verdictsOf(report)).toMatchObject(verdicts)
    expect(report.exits[0]?.causes).toEqual(causes)
    expect(exitCodeOf(report)).toBe(causes[0] === undefined ? 0 : CAUSES[causes[0]])
  })

  test('of a place that only its page shows, the refusal of its data is shown', async () => {
    const site = await mapSite({ outages: { 'place-payload': 404 }, placePages: 'embed' })
    const report = await checked(site.url)
    const place = report.exits[0]?.paths.find(({ door }) => door === 'place')
    expect(place).toMatchObject({ verdict: 'whole', status: 404, kind: 'not_found' })
  })

  test('a consent form is answered and shown', async () => {
    const site = await mapSite({ consent: true })
    const report = await checked(site.url)
    expect(report.healthy).toBe(true)
    expect(report.exits[0]?.paths[0]).toMatchObject({
      consent: true,
      status: 200,
      kind: 'page',
      cookies: expect.arrayContaining(['SOCS']),
    })
  })

  test('a refusal names the address of the exit, and no door is asked while the exit rests', async () => {
    const site = await mapSite({ blocked: 'everyone', refusalForm: '200' })
    const report = await checked(site.url)
    expect(report.exits[0]).toMatchObject({ address: expect.stringMatching(/^127\.|^::/) })
    expect(report.conclusion).toBe('The map site refuses the requests. Neither plain HTTP nor the browser works.')
    expect(site.requests().total).toBeLessThanOrEqual(2)
  })
})

test('a network that is cut off is told from a site that refuses', async () => {
  const gone = await listenOnFreePort(createServer())
  await gone.close()
  const report = await checked(gone.url)
  expect(report).toMatchObject({ healthy: false, exits: [{ causes: ['network'] }] })
  expect(exitCodeOf(report)).toBe(CAUSES.network)
})

test('each proxy is an exit of its own, and its login is shown nowhere', async () => {
  const site = await mapSite()
  const dead = await listenOnFreePort(createServer())
  await dead.close()
  const report = await checked(site.url, [`http://user:secret-word@${dead.host}`])
  expect(report.exits).toMatchObject([{ exit: dead.host, causes: ['proxy'] }])
  expect(JSON.stringify(report)).not.toContain('secret-word')
  expect(exitCodeOf(report)).toBe(CAUSES.proxy)
  expect(site.requests().total).toBe(0)
})
