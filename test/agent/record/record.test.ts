import { join } from 'node:path'
import { checkPaths, USUAL_QUESTION } from '@placefleet/agent/doctor/check-paths'
import { parseBody } from '@placefleet/agent/maps/answers/body'
import type { Exchange, ExchangeAnswer } from '@placefleet/agent/maps/requests/exchange'
import { type Bundle, readBundle, writeBundle } from '@placefleet/agent/record/bundle'
import { createDisguise } from '@placefleet/agent/record/disguise'
import { fieldsOf, readAnswer } from '@placefleet/agent/record/read'
import { createRecorder } from '@placefleet/agent/record/record'
import { accepted, replay, replayText } from '@placefleet/agent/record/replay'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { collecting, mapSite } from '../collect/collecting.ts'
import { capture } from '../maps/captures.ts'

const { signal } = new AbortController()
const NOW = Date.parse('2026-11-01T00:00:00Z')

type Recording = { bundle: Bundle; answers: ExchangeAnswer[] }

/** Records a site over plain HTTP. */
async function recorded(options: Partial<SiteOptions> = {}): Promise<Recording> {
  const site = await mapSite(options)
  const { collector } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const recorder = createRecorder()
  const exchanges: Exchange[] = []
  const report = await checkPaths(await collector.access(), {
    question: USUAL_QUESTION,
    proxies: [],
    signal,
    onPath(path, seen) {
      exchanges.push(...seen)
      recorder.onPath(path, seen)
    },
  })
  const answers = (await Promise.all(exchanges.map(({ answer }) => answer))).filter((answer) => answer !== undefined)
  return { bundle: await recorder.bundle(report, USUAL_QUESTION), answers }
}

/** Every text of these names in a value. */
function textsIn(value: unknown, names: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    names.has(name) && typeof member === 'string' ? [member] : textsIn(member, names),
  )
}

const PERSONAL = new Set(['author', 'author_url', 'profile_picture', 'text', 'text_original'])

test('a recording is read as the site’s answers were, and has no cookie, token or person in it', async () => {
  const { bundle, answers } = await recorded()
  const file = join(temporaryDir(), 'recording.tgz')
  await writeBundle(file, bundle)
  const read = await readBundle(file)
  expect(read).toEqual(bundle)
  const { manifest, texts } = read
  expect(manifest.pairs.map(({ door, read: { verdict } }) => [door, verdict])).toEqual([
    ['front page', 'whole'],
    ['search', 'whole'],
    ['place', 'whole'],
    ['GetLocalBoqProxy', 'whole'],
  ])
  expect(manifest.pairs.every(({ whole }) => whole)).toBe(true)
  const shown = JSON.stringify(manifest) + [...texts.values()].join('\n')
  const reviews = answers.filter(({ url }) => /GetLocalBoqProxy/.test(url))
  const personal = reviews.flatMap((answer) =>
    textsIn(readAnswer({ ...answer, scripts: false }, Date.now()).items, PERSONAL),
  )
  expect(personal.length).toBeGreaterThan(20)
  for (const text of personal) expect(shown).not.toContain(text)
  const ids = answers.flatMap(({ url, text }) =>
    /preview/.test(url) ? (text.match(/ChIJ[\w-]{23}|0x\w+:0x\w+/g) ?? []) : [],
  )
  expect(ids.length).toBeGreaterThan(1)
  for (const id of ids) expect(shown).toContain(id)
  const cookies = answers.flatMap(({ headers }) => [...(headers['set-cookie'] ?? '').matchAll(/NID=([^;]+)/g)])
  expect(cookies.length).toBeGreaterThan(0)
  for (const [, value = ''] of cookies) expect(shown).not.toContain(value)
  expect(replay(read)).toMatchObject({ same: true })
})

/** Moves the rating of each place of a recorded answer of this door one index further. */
function withMovedRating({ manifest, texts }: Bundle, door: string): Bundle {
  const file = manifest.pairs.find((pair) => pair.door === door)?.file ?? ''
  const move = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    const node = value.map(move)
    if (typeof node[10] !== 'string' || !/^0x/.test(node[10]) || !Array.isArray(node[4])) return node
    const summary: unknown[] = node[4]
    return node.with(4, [...summary.slice(0, 7), null, ...summary.slice(7)])
  }
  const moved = `)]}'\n${JSON.stringify(move(parseBody(texts.get(file) ?? '')))}`
  return { manifest, texts: new Map(texts).set(file, moved) }
}

test.each(['search', 'place'] as const)('a replay finds that the site has moved one index of its %s', async (door) => {
  const { bundle } = await recorded()
  const found = replay(withMovedRating(bundle, door))
  expect(found.same).toBe(false)
  const [changed] = found.pairs.filter((pair) => pair.door === door)
  expect(changed?.was.fields.rating).toBeGreaterThan(0)
  expect(changed?.is.fields.rating).toBeUndefined()
  const path = { search: 'search[0][1][i][14][4][7]', place: 'place[6][4][7]' }[door]
  expect(found.missing).toContain(`${path} (rating)`)
  expect(replayText(found)).toMatch(/rating: was \d+, is 0/)
  expect(replay(accepted(withMovedRating(bundle, door))).pairs.every(({ is, was }) => is.verdict === was.verdict)).toBe(
    true,
  )
})

test('a recording of a stranger cannot write to a terminal', async () => {
  const { bundle } = await recorded()
  const { manifest } = bundle
  const site = 'https://maps.example/\u001b]0;x\u0007'
  const pairs = manifest.pairs.map((pair) => ({ ...pair, file: `${pair.file}\u009b31m` }))
  const report = { ...manifest.report, site }
  const shown = replayText(replay({ ...bundle, manifest: { ...manifest, report, pairs } }))
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u)
})

test.each<[Partial<SiteOptions>, string]>([
  [{ blockPlainHttp: true }, 'exit_refused'],
  [{ blockPlainHttp: true, refusalForm: 'sg-rel' }, 'needs_scripts'],
  [{ localBoq: 'garbage' }, 'unknown'],
  [{ outages: { 'place-payload': 503, 'place-page': 503 } }, 'unavailable'],
])('a bad day is recorded, and read again: %j', async (mode, verdict) => {
  const { bundle } = await recorded(mode)
  const result = replay(bundle)
  expect(result.pairs.map(({ is }) => is.verdict)).toContain(verdict)
  for (const { is, was } of result.pairs) expect(is).toEqual(was)
})

test('names beside a profile and long texts get others of their shape, also where no parser looks for them', async () => {
  const name = 'Ada Lovelace'
  const value = [
    [null, [[name, 'https://maps.example/maps/contrib/1137'], `${name} was here`]],
    'We all met at her door',
  ]
  const text = `)]}'\n${JSON.stringify(value)}`
  const answer: ExchangeAnswer = { url: 'http://site/maps/preview/place?q=x', status: 200, headers: {}, text, ms: 1 }
  const request = { url: answer.url, method: 'GET', headers: { cookie: 'NID=511' }, body: undefined }
  const recorder = createRecorder()
  const site = await mapSite()
  const { collector } = collecting({ mapsBaseUrl: site.url, rung: 'http' })
  const report = await checkPaths(await collector.access(), {
    question: USUAL_QUESTION,
    proxies: [],
    signal,
    onPath: (path) => recorder.onPath(path, [{ by: 'http', request, answer: Promise.resolve(answer) }]),
  })
  const { manifest, texts } = await recorder.bundle(report, USUAL_QUESTION)
  const shown = texts.get('001.txt') ?? ''
  expect(JSON.stringify(manifest) + shown).not.toMatch(/Ada|Lovelace|1137|her door|NID=511/)
  expect(shown).toHaveLength(text.length)
  expect(manifest.removed['values of cookies']).toBe(manifest.pairs.length)
})

test.each([
  ['/maps/search/x', 'feed-first-page.html', '>4.7<'],
  ['/maps/place/x', 'place-page-2026.html', '>Closed<'],
  ['/maps/preview/place', 'place-2026-full.txt', undefined],
  ['/search', 'search-a.json', undefined],
  ['/GetLocalBoqProxy', 'reviews-boq-2026.json', undefined],
  ['/batchexecute', 'reviews-batchexecute-a.txt', undefined],
  ['/batchexecute', 'photos-a.json', undefined],
])('an answer of %s is read alike in disguise, and a page keeps no word of its own: %s', (path, name, words) => {
  const text = capture(name)
  const read = (answer: string) => {
    const reading = readAnswer({ url: `https://maps.example${path}`, status: 200, text: answer, scripts: true }, NOW)
    return { ...reading, items: reading.items.length, fields: fieldsOf(reading) }
  }
  const disguised = createDisguise().apply(text)
  expect(read(disguised)).toEqual(read(text))
  if (words !== undefined) expect([text.includes(words), disguised.includes(words)]).toEqual([true, false])
})

test('a file that is no recording is refused', async () => {
  await expect(readBundle(import.meta.filename)).rejects.toThrow()
})
