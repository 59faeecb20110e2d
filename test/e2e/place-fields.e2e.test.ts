import { TIMINGS } from '@placefleet/agent/timings'
import { COLUMNS } from '@placefleet/coordinator/results/columns'
import { Result } from '@placefleet/coordinator/results/schema'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { Place } from '@placefleet/shared/place'
import { parse } from 'csv-parse/sync'
import ExcelJS from 'exceljs'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addCollectingAgent } from '../harness/agents/collecting-agent.ts'
import { comparable } from '../harness/agents/comparable.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'

/** What a page holds beyond the fields that every map search gives. */
const FIELDS = [
  'claimed',
  'local_title',
  'local_address',
  'phone_e164',
  'time_spent',
  'booking_links',
  'posts',
  'services',
  'questions',
  'popular_dishes',
  'also_searched',
  'review_topics',
  'email_list',
  'email_details',
] as const satisfies (typeof COLUMNS)[number][]

const outside = await startOutsideWorld({ seed: 11, places: 240 })
afterAll(() => outside.close())
const world = await startWorld(afterAll)
const EGRESS_ALLOW_HOSTS = new URL(outside.proxy.url).host
const { client, url, grpc } = await addCoordinator(world, { EGRESS_ALLOW_HOSTS })
const settings = { COLLECT_RUNG: 'http', MAPS_BASE_URL: outside.site.url, EGRESS_ALLOW_HOSTS }
// A busy machine reads a website slowly, and one that was not read has no address.
const timings = { ...TIMINGS, crawl: { ...TIMINGS.crawl, pageMs: 60_000, totalMs: 60_000 } }
const agent = await addCollectingAgent(world, grpc, settings, timings)
afterAll(() => agent.close())

/** Runs one job over three kinds of business, through a proxy. Returns its id and its places in the public API. */
async function collected() {
  outside.site.setOptions({ consent: false, blockPlainHttp: false })
  const keywords = ['cafe', 'dentist', 'hairdresser']
  const id = await client.create({ keywords, max_results: 500, include_emails: true, proxies: [outside.proxy.url] })
  expect(await client.ended(id, 100_000)).toMatchObject({ status: 'completed' })
  return { id, places: (await client.places(id)).map((place) => Result.parse(place)) }
}

async function download(id: string, format: string): Promise<Buffer> {
  const answer = await fetch(`${url}/api/v1/jobs/${id}/download?format=${format}`, {
    headers: { 'x-api-key': API_KEY },
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

type Fields = Partial<Record<(typeof FIELDS)[number], unknown>>
const fieldsOf = (place: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(FIELDS.flatMap((name) => (place[name] === undefined ? [] : [[name, place[name]]])))

const NO_JSON: readonly string[] = ['local_title', 'local_address', 'phone_e164', 'time_spent']
/** Reads the cells of a table: lists and booleans are JSON, an empty cell is an absent field. */
const fieldsOfCells = (cells: Readonly<Record<string, string | undefined>>): Fields =>
  fieldsOf(
    Object.fromEntries(
      Object.entries(cells)
        .filter(([name, cell]) => (FIELDS as readonly string[]).includes(name) && cell !== '' && cell !== undefined)
        .map(([name, cell = '']) => [name, NO_JSON.includes(name) ? cell : JSON.parse(cell)]),
    ),
  )

async function cellsOfWorkbook(file: Buffer): Promise<Record<string, string>[]> {
  const workbook = new ExcelJS.Workbook()
  await workbook.xlsx.load(Uint8Array.from(file).buffer)
  const sheet = workbook.getWorksheet('Places')
  const rows: Record<string, string>[] = []
  sheet?.eachRow((row, number) => {
    const cells = (sheet.getRow(1).values as unknown[]).flatMap((name, column) =>
      typeof name === 'string' ? [[name, String(row.getCell(column).value ?? '')]] : [],
    )
    if (number > 1) rows.push(Object.fromEntries(cells))
  })
  return rows
}

test('one job returns every field of the pages in the public API and in each export', async () => {
  const { id, places } = await collected()
  const wanted = places.map(fieldsOf)

  for (const place of places) {
    const truth = outside.city.place(outside.city.indexOf(place.data_id ?? '') ?? -1, { emails: true })
    const { emails: _, ...known } = comparable(Place.parse(truth))
    const { email_list: _list, email_details: _details, ...found } = fieldsOf(place)
    expect(found).toEqual(fieldsOf(known))
    if (place.claimed === false) expect(place).not.toHaveProperty('owner')
    // Those of the own website come first.
    const { email_list } = place
    expect(email_list && new Set(email_list)).toEqual(truth.emails && new Set(truth.emails))
    expect(place.emails).toBe(email_list?.join(', ') ?? '')
    // Behind a proxy nobody asks for mail servers.
    const details = email_list?.map((email) => ({ email, generic: expect.any(Boolean) }))
    expect(place.email_details).toEqual(details)
  }
  for (const name of FIELDS) {
    expect([name, wanted.some((fields) => fields[name] !== undefined)]).toEqual([name, true])
  }
  expect(new Set(wanted.map(({ claimed }) => claimed))).toEqual(new Set([true, false]))

  const csv: Record<string, string>[] = parse(await download(id, 'csv'), { columns: true })
  expect(Object.keys(csv[0] ?? {})).toEqual([...COLUMNS])
  expect(csv.map(fieldsOfCells)).toEqual(wanted)
  expect((await cellsOfWorkbook(await download(id, 'xlsx'))).map(fieldsOfCells)).toEqual(wanted)
  const lines = (await download(id, 'jsonl')).toString().trimEnd().split('\n')
  expect(lines.map((line) => fieldsOf(Result.parse(JSON.parse(line))))).toEqual(wanted)
  const { features } = z
    .object({ features: z.array(z.object({ properties: z.record(z.string(), z.unknown()) })) })
    .parse(JSON.parse((await download(id, 'geojson')).toString()))
  expect(features.map(({ properties }) => fieldsOf(properties))).toEqual(wanted)
  const rows = await parquetReadObjects({ file: Uint8Array.from(await download(id, 'parquet')).buffer })
  const filled = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
  expect(filled.map(fieldsOf)).toEqual(wanted)
}, 240_000)
