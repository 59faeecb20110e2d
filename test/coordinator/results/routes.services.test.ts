import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { LinkedDownloadQuery, linkSignature } from '@placefleet/coordinator/results/download-links'
import { type JobSummary, resultRoutes } from '@placefleet/coordinator/results/routes'
import { Result, WebPresenceCounts } from '@placefleet/coordinator/results/schema'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { WEB_PRESENCE_TIERS, type WebPresence } from '@placefleet/shared/web-presence/tiers'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startApi, type TestApi } from '../../harness/coordinator/api.ts'
import { resultDocument, storeResults } from '../../harness/coordinator/results.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'

const { db, client } = await testDatabase()

/** `listedOnce`, `foundOnce`: when a list of jobs may name it, and when it is found by its id. */
type Owned = JobSummary & { hidden?: true; listedOnce?: Promise<void>; foundOnce?: Promise<void> }
const NONE = { places: 0, reviews: 0, images: 0 }
const jobs = new Map<string, Owned>()

const signer = createSecretBox(randomBytes(32))

/** The requests that reached the API, and those that are over. */
const requests = { began: 0, over: 0 }

const api = await startApi(
  db,
  {
    routes: async (server) => {
      server.addHook('onRequest', async (_request, reply) => {
        requests.began++
        reply.raw.once('close', () => requests.over++)
      })
      await server.register(resultRoutes, {
        prefix: '/api/v1',
        db,
        findSummary: async (user_id, id) => {
          const job = jobs.get(id)
          await job?.foundOnce
          return job?.user_id === user_id && !job.hidden ? job : undefined
        },
        findLinked: async (id) => jobs.get(id),
        signer,
        publicUrl: undefined,
        hiddenJobs: async (user_id) =>
          [...jobs.values()].filter((job) => job.user_id === user_id && job.hidden).map(({ id }) => id),
        async *finalJobs(user_id, { search }) {
          const chosen = [...jobs.values()].filter((job) => job.user_id === user_id && job.name.includes(search))
          for (const { id: _id, totals, listedOnce } of chosen) {
            await listedOnce
            yield { _id, totals }
          }
        },
      })
    },
  },
  (end) => afterAll(end),
)

/** Returns a job with one stored place for each tier named. */
async function storedJob(
  user_id: string,
  tiers: readonly WebPresence[],
  { name = 'Job', status = 'completed', ...rest }: Partial<Owned> = {},
) {
  const id = randomUUID()
  jobs.set(id, { id, name, status, user_id, totals: NONE, ...rest })
  const documents = tiers.map((tier) => resultDocument({ user_id, job_id: id }, {}, tier))
  await storeResults(db, id, documents)
  return { id, ids: documents.map(({ _id }) => _id) }
}

const Page = z.strictObject({
  results: z.array(Result),
  total: z.int(),
  page: z.int(),
  limit: z.int(),
  has_more: z.boolean(),
  web_presence_counts: WebPresenceCounts,
})

test('pages of results follow each other without gap or overlap, and end', async () => {
  const { user_id, key } = await testUser(db)
  const { id, ids } = await storedJob(user_id, Array<WebPresence>(25).fill('has'))
  const page = async (number: number) =>
    Page.parse((await api.call('GET', `/api/v1/jobs/${id}/results?limit=10&page=${number}`, { key })).body)
  const pages = [await page(1), await page(2), await page(3), await page(4), await page(999_999_999_999)]
  expect(pages.flatMap(({ results }) => results.map((result) => result.id))).toEqual(ids)
  expect(pages.map(({ total, has_more, results }) => [total, has_more, results.length])).toEqual([
    [25, true, 10],
    [25, true, 10],
    [25, false, 5],
    [25, false, 0],
    [25, false, 0],
  ])
})

test.each([
  ['', 8],
  ['all', 8],
  ['no_website', 6],
  ['has_website', 2],
  ['HAS,none', 4],
  ['social, no_website,social', 6],
  ['booking', 1],
])('web_presence=%s returns %i, and the counts are those of the whole job', async (filter, total) => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [...WEB_PRESENCE_TIERS, 'has', 'none'])
  const path = `/api/v1/jobs/${id}/results?web_presence=${encodeURIComponent(filter)}`
  const page = Page.parse((await api.call('GET', path, { key })).body)
  expect([page.total, page.results.length, page.page, page.limit]).toEqual([total, total, 1, 50])
  expect(page.web_presence_counts).toEqual({ none: 2, social: 1, directory: 1, builder: 1, booking: 1, has: 2 })
})

test('an empty job is an empty page with all counts at zero', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [], { status: 'running' })
  const { body } = await api.call('GET', `/api/v1/jobs/${id}/results`, { key })
  expect(body).toEqual({
    results: [],
    total: 0,
    page: 1,
    limit: 50,
    has_more: false,
    web_presence_counts: { none: 0, social: 0, directory: 0, builder: 0, booking: 0, has: 0 },
  })
})

test('all results of a user come in order of storage, without those of deleted jobs and of other users', async () => {
  const [{ user_id, key }, other] = [await testUser(db), await testUser(db)]
  const first = await storedJob(user_id, ['has', 'none'])
  await storedJob(other.user_id, ['has'])
  await storedJob(user_id, ['has'], { hidden: true })
  const second = await storedJob(user_id, ['none'], { status: 'failed' })
  const read = async (query: string) =>
    z
      .array(Result)
      .parse((await api.call('GET', `/api/v1/results${query}`, { key })).body)
      .map(({ id }) => id)
  const ids = [...first.ids, ...second.ids]
  expect([await read(''), await read('?limit=2'), await read('?limit=2&offset=2')]).toEqual([
    ids,
    ids.slice(0, 2),
    ids.slice(2),
  ])
  expect(await read('?offset=999999999999')).toEqual([])
})

test.each(['results', 'download'])('%s of a job that failed, is unknown, foreign or deleted', async (what) => {
  const [{ user_id, key }, other] = [await testUser(db), await testUser(db)]
  const failed = await storedJob(user_id, [], { status: 'failed' })
  const deleted = await storedJob(user_id, ['has'], { hidden: true })
  const foreign = await storedJob(other.user_id, ['has'])
  const ids = [failed.id, randomUUID(), foreign.id, deleted.id, 'x']
  const answers = await Promise.all(ids.map((id) => api.call('GET', `/api/v1/jobs/${id}/${what}`, { key })))
  expect(answers.map(({ status }) => status)).toEqual([402, 404, 404, 404, 422])
})

test('a download is there once the job has ended', async () => {
  const { user_id, key } = await testUser(db)
  const statuses = ['pending', 'running', 'aborting', 'cancelled', 'completed'] as const
  const seen: number[] = []
  for (const status of statuses) {
    const { id } = await storedJob(user_id, ['has'], { status })
    seen.push((await api.call('GET', `/api/v1/jobs/${id}/download`, { key })).status)
  }
  expect(seen).toEqual([404, 404, 404, 200, 200])
})

test('while a job goes on, what it has stored so far is downloaded on request, also as a workbook', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, ['has', 'none'], { status: 'running' })
  const download = (query: string) => api.call('GET', `/api/v1/jobs/${id}/download?${query}`, { key })
  const { status, text } = await download('so_far=true&format=jsonl')
  expect([status, text.trimEnd().split('\n').length]).toEqual([200, 2])
  expect((await download('so_far=false')).status).toBe(404)
  expect((await download('so_far=true&format=xlsx')).status).toBe(200)
  const failed = await storedJob(user_id, [], { status: 'failed' })
  expect((await api.call('GET', `/api/v1/jobs/${failed.id}/download?so_far=true`, { key })).status).toBe(402)
})

test('each format holds all results', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [], { name: 'Cafés' })
  const documents = Array.from({ length: 120 }, (_, i) =>
    resultDocument({ user_id, job_id: id }, { title: `=${i}`, ...(i % 2 ? { latitude: 1, longitude: 2 } : {}) }),
  )
  await storeResults(db, id, documents)
  const download = async (format: string) => {
    const answer = await api.call('GET', `/api/v1/jobs/${id}/download${format}`, { key })
    expect(answer.status).toBe(200)
    return answer
  }
  const csv = await download('')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toBe(
    `attachment; filename="Cafes.csv"; filename*=UTF-8''Caf%C3%A9s.csv`,
  )
  const rows: Record<string, string>[] = parse(csv.text, { columns: true })
  expect(rows.map(({ title }) => title)).toEqual(documents.map(({ place }) => `'${place.title}`))
  const lines = (await download('?format=jsonl')).text.trimEnd().split('\n')
  expect(lines.map((line) => Result.parse(JSON.parse(line)).id)).toEqual(documents.map(({ _id }) => _id))
  const geo = await download('?format=geojson')
  const { features } = z
    .object({ type: z.literal('FeatureCollection'), features: z.array(z.looseObject({ geometry: z.unknown() })) })
    .parse(JSON.parse(geo.text))
  expect([features.length, features[0]?.geometry, features[1]?.geometry]).toEqual([
    120,
    null,
    { type: 'Point', coordinates: [2, 1] },
  ])
  const xlsx = await download('?format=xlsx')
  expect([xlsx.headers.get('content-disposition')?.includes('Cafes.xlsx'), xlsx.text.slice(0, 2)]).toEqual([true, 'PK'])
  expect((await api.call('GET', `/api/v1/jobs/${id}/download?format=pdf`, { key })).status).toBe(400)
})

test('a download has the chosen columns and format, compressed on request', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [], { name: 'x' })
  await storeResults(db, id, [resultDocument({ user_id, job_id: id }, { title: 'Café', phone: '+30 210' })])
  const path = `/api/v1/jobs/${id}/download`
  const download = async (query: string) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' }
    const [response]: IncomingMessage[] = await once(get(`${api.baseUrl}${path}${query}`, { headers }), 'response')
    if (!response) throw new Error('no response')
    const bytes = await buffer(response)
    const isGzip = response.headers['content-encoding'] === 'gzip'
    return { type: response.headers['content-type'], isGzip, text: String(isGzip ? gunzipSync(bytes) : bytes) }
  }
  expect(await download('?columns=phone,title')).toMatchObject({
    isGzip: true,
    text: 'phone,title\r\n"+30 210","Café"\r\n',
  })
  const excel = await download('?columns=title,phone&bom=true&delimiter=semicolon')
  expect(excel.text).toBe('\uFEFFtitle;phone\r\n"Café";"+30 210"\r\n')
  expect((await download('?columns=phone,title,rating&format=jsonl')).text).toBe(
    '{"phone":"+30 210","title":"Café","rating":0}\n',
  )
  expect(JSON.parse((await download('?columns=title&format=geojson')).text).features[0].properties).toEqual({
    title: 'Café',
  })
  const parquet = await download('?columns=title&format=parquet')
  expect(parquet).toMatchObject({ type: 'application/vnd.apache.parquet', isGzip: false })
  expect(parquet.text.slice(0, 4)).toBe('PAR1')
  for (const query of ['columns=title,title', 'columns=name', 'bom=true&format=xlsx', 'delimiter=tab']) {
    expect((await api.call('GET', `${path}?${query}`, { key })).status).toBe(400)
  }
})

test('the results of many jobs are one file, job after job', async () => {
  const { user_id, key } = await testUser(db)
  const first = await storedJob(user_id, ['none', 'has'], { name: 'Monday' })
  const second = await storedJob(user_id, ['none', 'has', 'none'], { name: 'Monday' })
  await storedJob(user_id, ['none'], { name: 'Other' })
  const all = (query: string) => api.call('GET', `/api/v1/results/download?${query}`, { key })
  const idsIn = (lines: string) =>
    lines
      .trimEnd()
      .split('\n')
      .map((line) => Result.parse(JSON.parse(line)).id)

  const file = await all('search=Monday&format=jsonl')
  expect(idsIn(file.text)).toEqual([...first.ids, ...second.ids])
  expect(file.headers.get('content-disposition')).toContain('filename="Monday.jsonl"')
  expect(idsIn((await all('search=Monday&format=jsonl&web_presence=has')).text)).toEqual([first.ids[1], second.ids[1]])
  expect((await all('columns=job_id')).text.split('\r\n')).toHaveLength(1 + 6 + 1)
  expect((await all('search=nothing')).status).toBe(404)
})

test('a workbook has a limit of rows, for one job as for many, which names the other formats', async () => {
  const { user_id, key } = await testUser(db)
  const totals = { places: 500, reviews: 90_000, images: 0 }
  for (const name of ['a', 'a b']) await storedJob(user_id, ['has'], { name, totals })
  const { id } = await storedJob(user_id, ['has'], { name: 'large', totals: { ...totals, images: 90_000 } })
  const all = (query: string) => api.call('GET', `/api/v1/results/download?${query}`, { key })
  const one = (format: string) => api.call('GET', `/api/v1/jobs/${id}/download?format=${format}`, { key })

  for (const refused of [await all('format=xlsx&search=a'), await one('xlsx')]) {
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/more than 150000 rows.*csv, jsonl, geojson or parquet/)
  }
  expect((await all('format=xlsx&search=b')).status).toBe(200)
  expect((await one('csv')).status).toBe(200)
})

test('a workbook has a limit of bytes, for one job as for many, which names the other formats', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [])
  const description = 'x'.repeat(1_700_000)
  const large = Array.from({ length: 40 }, () => resultDocument({ user_id, job_id: id }, { description }))
  await storeResults(db, id, large)
  const one = (query: string) => api.call('GET', `/api/v1/jobs/${id}/download?${query}`, { key })
  for (const refused of [
    await one('format=xlsx'),
    await api.call('GET', '/api/v1/results/download?format=xlsx', { key }),
  ]) {
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(/more than 64 MiB.*csv, jsonl, geojson or parquet/)
  }
  expect((await one('format=csv&columns=title')).status).toBe(200)
})

const Link = z.strictObject({ url: z.string(), expires_at: z.iso.datetime() })

test('a link downloads one file of one job for ten minutes, without a header', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, ['has', 'none', 'social'])
  const { id: another } = await storedJob(user_id, ['has'])
  const link = async (body: object) =>
    Link.parse((await api.call('POST', `/api/v1/jobs/${id}/download-link`, { key, body })).body)
  const { url, expires_at } = await link({ format: 'csv', columns: 'title,phone', web_presence: 'no_website' })
  const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
  expect([minutes > 9, minutes <= 10.1]).toEqual([true, true])

  const answer = await fetch(url)
  const path = `/api/v1/jobs/${id}/download`
  const file = await api.call('GET', `${path}?columns=title,phone&web_presence=no_website`, { key })
  expect([answer.status, await answer.text()]).toEqual([200, file.text])
  expect(answer.headers.get('content-disposition')).toContain('attachment')
  const listed = await link({ format: 'jsonl', columns: ['title', 'phone'], web_presence: ['none'] })
  expect((await (await fetch(listed.url)).text()).trim().split('\n')).toHaveLength(1)

  const changes = [
    ['format', 'jsonl'],
    ['columns', 'title'],
    ['web_presence', 'all'],
    ['bom', 'true'],
    ['expires', '9999999999'],
    ['signature', 'x'],
  ]
  for (const [name = '', value = ''] of changes) {
    const changed = new URL(url)
    changed.searchParams.set(name, value)
    expect([name, (await fetch(changed)).status]).toEqual([name, 403])
  }
  expect((await fetch(url.replace(id, another))).status).toBe(403)
  const over = LinkedDownloadQuery.parse({ expires: String(Math.floor(Date.now() / 1_000) - 1) })
  const signature = linkSignature(signer, id, over)
  expect((await fetch(`${api.baseUrl}${path}?expires=${over.expires}&signature=${signature}`)).status).toBe(403)
})

test('a link is made by the owner of an ended job, for a file that is possible', async () => {
  const { user_id, key } = await testUser(db)
  const stranger = await testUser(db)
  const { id } = await storedJob(user_id, ['has'])
  const { id: running } = await storedJob(user_id, ['has'], { status: 'running' })
  const { id: failed } = await storedJob(user_id, [], { status: 'failed' })
  const { id: large } = await storedJob(user_id, ['has'], { totals: { places: 500, reviews: 150_000, images: 0 } })
  const status = async (job: string, body: object, as = key) =>
    (await api.call('POST', `/api/v1/jobs/${job}/download-link`, { key: as, body })).status

  expect(await status(id, { format: 'csv' })).toBe(200)
  expect(await status(id, {})).toBe(400)
  expect(await status(id, { format: 'pdf' })).toBe(400)
  expect(await status(id, { format: 'csv', columns: 'salary' })).toBe(400)
  expect(await status(id, { format: 'csv', columns: [...COLUMNS].reverse() })).toBe(200)
  expect(await status(id, { format: 'csv', columns: ['title', 'title'] })).toBe(400)
  expect(await status(id, { format: 'csv', web_presence: 'some' })).toBe(400)
  expect(await status(id, { format: 'csv' }, stranger.key)).toBe(404)
  expect(await status(running, { format: 'csv' })).toBe(404)
  expect(await status(failed, { format: 'csv' })).toBe(402)
  expect(await status(large, { format: 'xlsx' })).toBe(422)
  expect(await status('x', { format: 'csv' })).toBe(422)
})

/** Begins a download that stays unread, because it is larger than what a connection holds. */
const slowDownload = (api: TestApi, key: string, job_id: string, format: string) =>
  slowRequest(`${api.baseUrl}/api/v1/jobs/${job_id}/download?format=${format}`, { 'x-api-key': key })

async function slowRequest(url: string, headers = {}) {
  const request = get(url, { headers })
  const [response]: IncomingMessage[] = await once(request, 'response')
  const end = () => void request.destroy()
  onTestFinished(end)
  return { status: response?.statusCode, end }
}

/** To store a large job takes as long as thirty other tests, so tests share two. */
async function userWithLargeJob() {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [])
  const user_reviews = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, text: randomBytes(600).toString('hex') }))
  const documents = Array.from({ length: 400 }, () => resultDocument({ user_id, job_id: id }, { user_reviews }))
  await storeResults(db, id, documents)
  return { key, id }
}

const [firstLarge, secondLarge] = [await userWithLargeJob(), await userWithLargeJob()]

test('a user exports two files at a time, and the next one when one of them is over', async () => {
  const { key, id } = firstLarge
  const [first] = [await slowDownload(api, key, id, 'jsonl'), await slowDownload(api, key, id, 'jsonl')]
  const third = () => api.call('GET', `/api/v1/jobs/${id}/download?columns=title`, { key })

  const refused = await third()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  first.end()
  await until('the next one is served', async () => (await third()).status === 200)
})

test('two downloads of a link leave its owner the own ones', async () => {
  const { key, id } = secondLarge
  const link = async () => {
    const made = await api.call('POST', `/api/v1/jobs/${id}/download-link`, { key, body: { format: 'jsonl' } })
    return Link.parse(made.body).url
  }
  const url = await link()
  const statuses: unknown[] = []
  for (let nth = 0; nth < 2; nth++) statuses.push((await slowRequest(url)).status)
  expect(statuses).toEqual([200, 200])
  expect((await fetch(url)).status).toBe(429)
  expect((await slowDownload(api, key, id, 'jsonl')).status).toBe(200)
})

test.each([
  ['of a job', ({ id }: { id: string }) => `/api/v1/jobs/${id}/download?format=xlsx`],
  ['of all jobs', () => '/api/v1/results/download?format=xlsx'],
])('a client that leaves before its workbook %s begins keeps no slot', async (_, pathOf) => {
  const { user_id, key } = await testUser(db)
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const job = await storedJob(user_id, ['has'], { listedOnce: promise, foundOnce: promise })
  const path = pathOf(job)
  for (let nth = 0; nth < 3; nth++) {
    const { began, over } = requests
    const request = get(`${api.baseUrl}${path}`, { headers: { 'x-api-key': key } })
    request.once('error', () => undefined) // it is cut off
    await until('the request is there', () => requests.began > began)
    request.destroy()
    await until('the server knows that its client left', () => requests.over > over)
  }
  goOn()

  const statuses: number[] = []
  for (let nth = 0; nth < 3; nth++) statuses.push((await api.call('GET', path, { key })).status)
  expect(statuses).toEqual([200, 200, 200])
})

test('two workbooks are written at a time, of all users', async () => {
  const { user_id, key } = await testUser(db)
  const small = await storedJob(user_id, ['has'])
  const downloadSmall = async (format: string) =>
    (await api.call('GET', `/api/v1/jobs/${small.id}/download?format=${format}`, { key })).status
  // The downloads of earlier tests end meanwhile.
  const begin = ({ key, id }: typeof firstLarge) =>
    until('its workbook begins', async () => {
      const download = await slowDownload(api, key, id, 'xlsx')
      return download.status === 200 && download
    })
  const downloads = [await begin(firstLarge), await begin(secondLarge)]

  expect([await downloadSmall('xlsx'), await downloadSmall('csv')]).toEqual([429, 200])
  for (const download of downloads) download.end()
  await until('the next one is served', async () => (await downloadSmall('xlsx')) === 200)
})

test('a download of all jobs sends the places of the first ones before it knows the last ones', async () => {
  const { user_id, key } = await testUser(db)
  const { promise: listedOnce, resolve: list } = Promise.withResolvers<void>()
  const first = await storedJob(user_id, ['has'])
  const last = await storedJob(user_id, ['none'], { listedOnce })

  const request = get(`${api.baseUrl}/api/v1/results/download?format=jsonl`, { headers: { 'x-api-key': key } })
  const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
  const lines = response.setEncoding('utf8')[Symbol.asyncIterator]()
  const idOf = async () => JSON.parse((await lines.next()).value).id

  expect(await idOf()).toBe(first.ids[0])
  list()
  expect(await idOf()).toBe(last.ids[0])
})

test('an empty job downloads as a header alone, or an empty collection', async () => {
  const { user_id, key } = await testUser(db)
  const { id } = await storedJob(user_id, [])
  const textOf = async (format: string) =>
    (await api.call('GET', `/api/v1/jobs/${id}/download?format=${format}`, { key })).text
  expect((await textOf('csv')).split('\r\n')).toHaveLength(2)
  expect(await textOf('jsonl')).toBe('')
  expect(JSON.parse(await textOf('geojson'))).toEqual({ type: 'FeatureCollection', features: [] })
})

describe('a client that disconnects', () => {
  const { key, id } = firstLarge

  test.each(['csv', 'xlsx'])('during a %s leaves nothing open', async (format) => {
    const request = get(`${api.baseUrl}/api/v1/jobs/${id}/download?format=${format}`, { headers: { 'x-api-key': key } })
    const [response] = await once(request, 'response')
    await once(response, 'data')
    request.destroy()
    const ours = [{ $currentOp: { idleCursors: true } }, { $match: { ns: `${db.databaseName}.results` } }]
    const open = async () => (await client.db('admin').aggregate(ours).toArray()).length
    await expect.poll(open, { timeout: 10_000 }).toBe(0)
  })
})
