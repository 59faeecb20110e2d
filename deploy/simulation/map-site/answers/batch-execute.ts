import { z } from 'zod'
import { hasProofHeader } from '../browser-proof.ts'
import { photoOf } from '../city/photos.ts'
import { type Exchange, errorReply, jsonReply, type Reply } from '../exchange.ts'
import { photoRecord } from '../payload/photos.ts'
import { type Cell, GUARD } from '../payload/row.ts'
import { sessionId } from '../payload/tracking.ts'
import type { Site } from '../site.ts'
import { orderOf, reviewPage } from './review-lists.ts'

const REVIEWS = '/MapsUgcPostService.ListUgcPosts'
const PHOTOS = '/MapsPhotoService.ListEntityPhotos'

const Call = z.tuple([z.tuple([z.tuple([z.enum([REVIEWS, PHOTOS]), z.string()], z.unknown())])])
const ReviewArguments = z.tuple([z.tuple([z.string()]), z.tuple([z.int().min(1), z.string().nullable()]), z.int()])
const PhotoArguments = z.tuple([
  z.literal(2),
  z.null(),
  z.tuple([z.string()], z.unknown()),
  z.null(),
  z.tuple(
    [z.null(), z.unknown(), z.tuple([z.null(), z.int().min(1), z.string().nullable()], z.unknown())],
    z.unknown(),
  ),
])

// A chunk's length counts the line breaks before and after it.
const chunk = (value: Cell) => {
  const text = JSON.stringify(value)
  return `${text.length + 2}\n${text}\n`
}

const answerOf = (service: string, result: Cell) =>
  `${GUARD}\n${[
    chunk([['wrb.fr', service, JSON.stringify(result), null, null, null, 'generic']]),
    chunk([
      ['di', 162],
      ['af.httprm', 162, '3437043560180464121', 10],
    ]),
    chunk([['e', 4, null, null, 73199]]),
  ].join('')}`

const PHOTO_PAGE = 20

const photoList = (site: Site, args: unknown): Cell | undefined => {
  const [, , [id], , [, , [, count, token]]] = PhotoArguments.parse(args)
  const index = site.city.indexOf(id)
  if (index === undefined) return undefined
  const place = site.city.details(index)
  const from = Number(token ?? 0)
  const to = Math.min(from + Math.min(count, PHOTO_PAGE), place.photoCount)
  const photos = Array.from({ length: Math.max(0, to - from) }, (_, nth) =>
    photoRecord(place, photoOf(site.city.seed, index, from + nth), 'w640-h640-n-k-no'),
  )
  return [photos, place.photoCount, null, sessionId(index), null, to < place.photoCount ? String(to) : null]
}

const reviewList = (site: Site, exchange: Exchange, args: unknown): Cell | undefined => {
  const [[id], [size, token], sort] = ReviewArguments.parse(args)
  return reviewPage(site, exchange, { id, size, token: token ?? '', order: orderOf(sort) })
}

/** Answers `POST /maps/_/MapsWizUi/data/batchexecute`: lists of reviews and photos, for the page's own script only. */
export function answerBatchExecute(site: Site, exchange: Exchange): Reply {
  if (!hasProofHeader(exchange)) return errorReply(400)
  try {
    const [[[service, text]]] = Call.parse(JSON.parse(new URLSearchParams(exchange.body).get('f.req') ?? 'null'))
    const args: unknown = JSON.parse(text)
    const result = service === REVIEWS ? reviewList(site, exchange, args) : photoList(site, args)
    return result ? jsonReply(answerOf(service, result)) : errorReply(400)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return errorReply(400)
    throw error
  }
}
