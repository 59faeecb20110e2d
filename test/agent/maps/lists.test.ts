import { parsePhotoList, photoImage, readPhoto } from '@placefleet/agent/maps/photos/payload'
import { parseReviewList } from '@placefleet/agent/maps/reviews/payload'
import { describe, expect, test } from 'vitest'
import { capture, comparable, expected, expectReview, list } from './captures.ts'
import { sparse } from './sample.ts'

const now = Date.UTC(2026, 10, 20)

describe('recorded lists', () => {
  test.each([
    ['reviews-a.json', 'reviews-a'],
    ['reviews-b.json', 'reviews-b'],
    ['reviews-batchexecute-a.txt', 'reviews-batchexecute-a'],
  ])('%s gives its reviews', (file, name) => {
    const wanted = expected(name)
    const found = parseReviewList(capture(file), { now })
    expect(found.state).toBe('listed')
    expect(found.reviews).toHaveLength(Number(wanted.count))
    for (const [index, review] of found.reviews.entries()) expectReview(review, list(wanted, 'reviews')[index] ?? {})
    if (wanted.next_page_token) expect(found.next_token).toBe(wanted.next_page_token)
  })

  test('a list of photos gives every photo', () => {
    const wanted = expected('photos-a')
    const { photos, ...found } = parsePhotoList(capture('photos-a.json'))
    expect(found).toEqual({ state: 'listed' })
    const theirs = list(wanted, 'photos').map(({ id, url, kind, caption, dish }) => ({
      id,
      url,
      title: dish || caption,
      kind,
    }))
    expect(comparable(photos)).toEqual(comparable(theirs))
  })
})

const item = (id: string, token?: string) => [[id, [null, null, Date.UTC(2024, 0, 1) * 1000], [[4]]], null, token]
const listed = (...ids: string[]) => ids.map((id) => item(id))
const body = (value: unknown) => `)]}'\n${JSON.stringify(value)}`

describe('lists of reviews', () => {
  test.each([
    ['the envelope', body([null, 'next', listed('a', 'b')]), 'next'],
    ['the last page', body([null, null, listed('a', 'b')]), undefined],
    ['a last page with an empty token', body([null, '', listed('a', 'b')]), undefined],
    ['the older envelope with the list first', body([listed('a', 'b'), 'next']), 'next'],
    ['items alone, continued by the last one', JSON.stringify([item('a', 'x'), item('b', 'y')]), 'y'],
    ['three items alone', JSON.stringify([...listed('a', 'b'), item('b', 'y')]), 'y'],
    ['bare reviews', JSON.stringify([item('a')[0], item('b')[0]]), undefined],
    ['a batch answer', batch([null, 'next', listed('a', 'b')]), 'next'],
    ['a batch answer in one value', body([answer([null, 'next', listed('a', 'b')]), ['di', 20]]), 'next'],
    ['a page that repeats a review', body([null, 'next', listed('a', 'b', 'a')]), 'next'],
  ])('%s is read', (_, text, token) => {
    const found = parseReviewList(text, { now })
    expect(found.state).toBe('listed')
    expect(found.reviews.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(found.next_token).toBe(token)
  })

  test.each([
    ['an empty list', body([null, null, []]), 'listed'],
    ['only nulls', body([null, null, null, null, null, 1]), 'refused'],
    ['a token without a list', body([null, 'next', null]), 'malformed'],
    ['items that are no reviews', body([null, null, [[1], [2]]]), 'malformed'],
    ['a page', '<!doctype html><title>Error 403</title>', 'malformed'],
    ['nothing', '', 'malformed'],
    ['a batch answer of another procedure', batch([null, null, listed('a')], '/Other'), 'malformed'],
  ])('%s holds no review and is %s', (_, text, state) => {
    expect(parseReviewList(text, { now })).toEqual({ state, reviews: [] })
  })
})

describe('a review', () => {
  const read = (review: unknown) => parseReviewList(JSON.stringify([[review]]), { now }).reviews[0]

  test('of another source is rated on our scale and has the author that is left', () => {
    const author = [null, null, ['https://x.example/u/1', 'Ann', '//x.example/a.jpg']]
    const source = ['Tripadvisor', null, null, null, 10]
    const review = ['r', sparse({ 4: author, 13: source }), sparse({ 8: [null, 7] })]
    expect(read(review)).toEqual({
      id: 'r',
      author: 'Ann',
      author_url: 'https://x.example/u/1',
      profile_picture: 'https://x.example/a.jpg',
      rating: 3.5,
    })
  })

  test.each([
    ['before the site had reviews', Date.UTC(2006, 11, 31)],
    ['in the future', now + 2 * 24 * 3_600_000],
    ['that is no time at all', Number.MAX_SAFE_INTEGER],
  ])('keeps no time %s', (_, time) => {
    expect(read(['r', [null, null, time * 1_000]])).toEqual({ id: 'r' })
  })

  test.each([
    ['no members', []],
    ['links to edit one', Array.from({ length: 12 }, () => 'https://business.example/reply')],
    ['links to edit one, among them at 1', [null, 'https://business.example/reply']],
  ])('has no reply when its branch has %s', (_, reply) => {
    expect(read(['r', [], [[5]], reply])).toEqual({ id: 'r', rating: 5 })
  })

  test('with text in two languages gives the translation first and keeps the original', () => {
    const details = sparse({ 0: [5], 14: ['de', 'en'], 15: [['Gut'], ['Good']] })
    const reply = sparse({ 1: now * 1_000 - 1, 14: [['Danke'], ['Thanks']] })
    expect(read(['r', [], details, reply])).toEqual({
      id: 'r',
      rating: 5,
      language: 'de',
      text: 'Good',
      text_original: 'Gut',
      reply: { text: 'Thanks', published_at: '2026-11-19T23:59:59.999Z' },
    })
  })
})

describe('lists of photos', () => {
  const photo = (id: string) =>
    sparse({ 0: id, 1: 10, 2: 12, 6: [`//lh3.example/${id}=w640`, '', [640, 480]], 8: [[3, 33, 34]] })

  test.each([
    ['the list', body([[photo('a')], 37, null, 's', null, 'next'])],
    ['a batch answer', batch([[photo('a')], 37, null, 's', null, 'next'], '/MapsPhotoService.ListEntityPhotos')],
  ])('%s is read', (_, text) => {
    expect(parsePhotoList(text)).toEqual({
      state: 'listed',
      photos: [{ id: 'a', url: 'https://lh3.example/a=w640', kind: 'photo' }],
      next_token: 'next',
    })
  })

  test.each([
    ['no photos', body([[], 0]), { state: 'listed', photos: [] }],
    ['only nulls', body([null, null]), { state: 'refused', photos: [] }],
    ['records of another layout', body([[['x'], ['y']], 2]), { state: 'malformed', photos: [] }],
    ['a page', '<html>', { state: 'malformed', photos: [] }],
  ])('an answer with %s is read as $2', (_, text, found) => {
    expect(parsePhotoList(text)).toEqual(found)
  })

  test('a photo becomes an image titled with its dish', () => {
    const record = ['a', 10, 12, null, null, null, ['https://x.example/a']]
    const base = { id: 'a', url: 'https://x.example/a', kind: 'photo' }
    expect(readPhoto(record)).toEqual(base)
    record[20] = 'Photo'
    expect(readPhoto(record)).toEqual({ ...base, title: 'Photo' })
    record[21] = Object.assign([], { 14: [[null, null, ['Soup']]] })
    expect(readPhoto(record)).toEqual({ ...base, title: 'Soup' })
    expect(photoImage({ ...base, kind: 'photo', title: 'Soup' })).toEqual({ title: 'Soup', url: base.url })
  })
})

function answer(message: unknown, procedure = '/MapsUgcPostService.ListUgcPosts'): unknown[] {
  return ['wrb.fr', procedure, JSON.stringify(message), null, null, null, 'generic']
}

function batch(message: unknown, procedure?: string): string {
  const around = '[["di",20],["af.httprm",20,"1",3]]'
  const chunks = [JSON.stringify([answer(message, procedure)]), around, '[["e",4,null,null,100]]']
  return `)]}'\n\n${chunks.map((text) => `${text.length + 2}\n${text}\n`).join('')}`
}
