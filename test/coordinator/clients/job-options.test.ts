import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jobOptions, jobRequest, requestOf } from '@placefleet/cli/job-options'
import { PLACEFLEET } from '@placefleet/cli/program'
import { createProgram } from '@placefleet/shared/commands/program'
import { SentJobRequest } from '@placefleet/shared/job'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { polygon, square } from '../../shared/area/shapes.ts'

test('the command line has an option for every field of a job', () => {
  const options = {
    keywords: ['cafe'],
    max: '20',
    max_cost: '0.50',
    depth: '3',
    lat: '34.6',
    lon: '33.0',
    near: 'Limassol',
    radius: '500',
    bbox: '-33.02,34.66,33.07,34.7',
    country: 'cy',
    emails: true,
    reviews: '1',
    reviews_sort: 'lowest',
    reviews_since: '2026-01-31',
    reviews_ratings: '1,2',
    anonymous_reviews: true,
    images: '2',
    website_filter: 'no_website',
    categories: 'Bakery, Café',
    min_rating: '4.5',
    min_review_count: '20',
    no_phone: true,
    exclude_closed: true,
    coverage: 'cells',
    only_new: true,
    recheck_after: '30',
    demo: true,
    exhaust: true,
    fast: true,
    zoom: '14',
    max_time: '600',
    proxies: 'http://one.example:8080,http://two.example:8080',
  }

  const request = jobRequest(z.object(jobOptions).parse(options), {
    area: polygon(square(13, 52, 1)),
    places: ['ChIJDdnwdv0y5xQRRytw1ihZQeU'],
  })

  const { near, bbox, area, ...circle } = request
  expect(SentJobRequest.parse(circle)).toMatchObject(circle)
  for (const shape of [{ bbox }, { area }]) {
    const { lat, lon, radius, zoom, ...others } = circle
    expect(SentJobRequest.parse({ ...others, ...shape })).toMatchObject(shape)
  }
  expect(near).toBe('Limassol')
  expect(request).toMatchObject({ name: 'cafe', language: 'en', only_new: true, recheck_after: 30 })
  expect(request).toMatchObject({ reviews_ratings: [1, 2], reviewer_names: false })
  expect(request).toMatchObject({ categories: ['Bakery', 'Café'], min_rating: 4.5, has_phone: false })
  const missing = Object.keys(SentJobRequest.shape).filter((field) => !(field in request))
  expect(missing).toEqual([])
})

test.each([
  ['', {}],
  ['--has-phone', { has_phone: true }],
  ['--no-phone', { has_phone: false }],
  ['--anonymous-reviews', { reviewer_names: false }],
])('run hotel $0 sends only what it says: $1', async (option, fields) => {
  let request: unknown
  const act = async (_: unknown, given: Record<string, unknown>) => {
    request = await requestOf(z.object(jobOptions).parse(given))
  }
  await createProgram(PLACEFLEET, act, {}).parseAsync(['run', 'hotel', ...option.split(' ').filter(Boolean)], {
    from: 'user',
  })
  expect(request).toEqual({ name: 'hotel', keywords: ['hotel'], language: 'en', ...fields })
})

test('a file of places has one a line, and its first other line is named', async () => {
  const file = join(temporaryDir(), 'places.txt')
  const options = z.object(jobOptions).parse({ keywords: [], places: file })
  writeFileSync(file, '\uFEFFChIJDdnwdv0y5xQRRytw1ihZQeU\r\n\r\nhttps://maps.google.com/?cid=16519582940102929223\n')
  const places = ['ChIJDdnwdv0y5xQRRytw1ihZQeU', 'https://maps.google.com/?cid=16519582940102929223']
  expect(await requestOf(options)).toEqual({ name: file.slice(0, 200), language: 'en', places })

  writeFileSync(file, '16519582940102929223\nplace_id\n1\nsome place')
  await expect(requestOf(options)).rejects.toThrow('line 2 (and 1 more) names no place')
  await expect(requestOf(z.object(jobOptions).parse({ keywords: [] }))).rejects.toThrow('Pass keywords')
})

test('a CSV file has its places in the column that is named, or in those that exports have', async () => {
  const file = join(temporaryDir(), 'places.csv')
  const placesOf = async (column?: string) => {
    const options = z.object(jobOptions).parse({ keywords: [], places: file, ...(column !== undefined && { column }) })
    return (await requestOf(options)).places
  }
  const [placeId, cid] = ['ChIJDdnwdv0y5xQRRytw1ihZQeU', '16519582940102929223']
  writeFileSync(file, `Name;Place ID;CID;Mine\r\n"Bakery; the old";${placeId};${cid};1\r\nCafé;;${cid};\r\nBar;;;2\r\n`)
  expect(await placesOf()).toEqual([placeId, cid])
  expect(await placesOf('cid')).toEqual([cid, cid])
  expect(await placesOf('MINE ')).toEqual(['1', '2'])
  await expect(placesOf('Name')).rejects.toThrow('line 2 (and 2 more) names no place')
  await expect(placesOf('id')).rejects.toThrow('Pass --column with one of: Name, Place ID, CID, Mine.')

  writeFileSync(file, 'shop,number\na,1\n')
  await expect(placesOf()).rejects.toThrow('Pass --column with one of: shop, number.')
  writeFileSync(file, '')
  await expect(placesOf()).rejects.toThrow('it names no place')
  await expect(requestOf(z.object(jobOptions).parse({ keywords: ['a'], column: 'x' }))).rejects.toThrow(
    'needs --places',
  )
})
