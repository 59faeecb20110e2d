import { parsedJson } from '@placefleet/shared/text'
import { z } from 'zod'
import { photoOf } from '../city/photos.ts'
import { type Exchange, errorReply, isMadeByPage, jsonReply, type Reply } from '../exchange.ts'
import { type Cell, GUARD } from '../payload/row.ts'
import { sessionId } from '../payload/tracking.ts'
import { photoRecord } from '../place/photos.ts'
import { reviewItem } from '../reviews/item.ts'
import { type Site, viewFor } from '../site.ts'
import { reviewsOfPage } from './review-lists.ts'

const REVIEWS = '/MapsUgcPostService.ListUgcPosts'
const PHOTOS = '/MapsPhotoService.ListEntityPhotos'
const MOST_A_PAGE = 20

const Call = z.tuple([z.tuple([z.tuple([z.enum([REVIEWS, PHOTOS]), z.string()], z.unknown())])])
const ReviewArguments = z.tuple([z.tuple([z.string()]), z.tuple([z.int().min(1), z.string().nullable()]), z.int()])
const PhotoArguments = z.tuple([
  z.literal(2),
  z.null(),
  z.tuple([z.string()]),
  z.null(),
  z.tuple([z.null(), z.unknown(), z.tuple([z.null(), z.int().min(1), z.string().nullable()], z.unknown())]),
])

// A chunk's length counts the line breaks before and after it.
const chunk = (value: Cell) => {
  const text = JSON.stringify(value)
  return `${text.length + 2}\n${text}\n`
}

const answerOf = (service: string, result: Cell) => {
  const message: Cell = [['wrb.fr', service, JSON.stringify(result), null, null, null, 'generic']]
  return `${GUARD}\n${chunk(message)}${chunk([['di', 162]])}${chunk([['e', 4, null, null, 73199]])}`
}

const photoList = (site: Site, args: unknown): Cell | undefined => {
  const [, , [id] = [], , [, , [, count, token] = []] = []] = PhotoArguments.safeParse(args).data ?? []
  const index = id === undefined ? undefined : site.city.indexOf(id)
  if (index === undefined) return undefined
  const place = site.city.details(index)
  const from = Number(token ?? 0)
  const to = Math.min(from + Math.min(count ?? 0, MOST_A_PAGE), place.photoCount)
  const photos = Array.from({ length: Math.max(0, to - from) }, (_, nth) =>
    photoRecord(place, photoOf(site.city.seed, index, from + nth), 'w640-h640-n-k-no'),
  )
  return [photos, place.photoCount, null, sessionId(index), null, to < place.photoCount ? String(to) : null]
}

const reviewList = (site: Site, exchange: Exchange, args: unknown): Cell | undefined => {
  const { data } = ReviewArguments.safeParse(args)
  if (!data) return undefined
  const [[id], [size, token], order] = data
  const list = reviewsOfPage(site, exchange, { id, order, size: Math.min(size, MOST_A_PAGE), token: token ?? '' })
  const view = viewFor(site, exchange)
  return list && [null, list.next, list.reviews.map((review) => reviewItem(list.place, review, view))]
}

/** Answers `POST /maps/_/MapsWizUi/data/batchexecute`: lists of reviews and photos, for the page's own script only. */
export function answerBatchExecute(site: Site, exchange: Exchange): Reply {
  const { data } = Call.safeParse(parsedJson(new URLSearchParams(exchange.body).get('f.req') ?? ''))
  if (!isMadeByPage(exchange) || !data) return errorReply(400)
  const [[[service, text]]] = data
  const args = parsedJson(text)
  const result = service === REVIEWS ? reviewList(site, exchange, args) : photoList(site, args)
  return result ? jsonReply(answerOf(service, result)) : errorReply(400)
}
