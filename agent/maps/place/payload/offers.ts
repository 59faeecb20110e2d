import type { Dish, Place, Post, Service, ServiceGroup } from '@placefleet/shared/place'
import {
  filled,
  fitParagraph,
  getAt,
  integerAt,
  lineAt,
  listAt,
  omitUndefined,
  paragraphAt,
  readEach,
  urlAt,
} from '../../answers/values.ts'
import { readPhoto } from '../../photos/payload.ts'
import { millisToIso } from '../../reviews/payload.ts'

const MAX_GROUPS = 100
const MAX_SERVICES = 200
const MAX_DISHES = 100
const MAX_POSTS = 50

export function readOffers(node: unknown): Partial<Place> {
  const inside = (...path: readonly number[]) => listAt(node, ...path).flatMap((list) => listAt(list, 1))
  return {
    services: filled(readEach(inside(125, 0), readGroup), MAX_GROUPS),
    popular_dishes: filled(readEach(inside(120, 4), readDish), MAX_DISHES),
  }
}

// [[name], [items, …]]
function readGroup(group: unknown): ServiceGroup | undefined {
  const name = lineAt(group, 0, 0)
  const lists = listAt(group, 1).flatMap((list) => listAt(list))
  const items = readEach(lists, readService)
  return name === undefined || items.length === 0 ? undefined : { name, items: items.slice(0, MAX_SERVICES) }
}

// [[name, description], [price]]
function readService(item: unknown): Service | undefined {
  const name = lineAt(item, 0, 0)
  if (name === undefined) return undefined
  return omitUndefined({ name, price: lineAt(item, 1, 0), description: paragraphAt(item, 0, 1) })
}

// Photos that nobody has named a dish for have a row without a name.
function readDish(row: unknown): Dish | undefined {
  const name = lineAt(row, 4)
  return name === undefined ? undefined : omitUndefined({ name, image: readPhoto(listAt(row, 6)[0])?.url })
}

/** Reads the posts of the owner. `now` is in milliseconds; a time in the future is omitted. */
export function readPosts(node: unknown, now: number): Partial<Place> {
  const posts = readEach(listAt(node, 122, 1), (post) => readPost(post, now))
  return { posts: filled(posts, MAX_POSTS) }
}

// The text comes in pieces, because hashtags are links: [text, kind].
function readPost(post: unknown, now: number): Post | undefined {
  const pieces = listAt(post, 1, 0).map((piece) => getAt(piece, 0))
  const text = fitParagraph(pieces.filter((piece) => typeof piece === 'string').join(''))
  const seconds = integerAt(post, 2, 0)
  if (text === undefined) return undefined
  return omitUndefined({
    text,
    published_at: seconds === undefined ? undefined : millisToIso(seconds * 1_000, now),
    link: urlAt(post, 9) ?? urlAt(post, 8, 0),
    image: urlAt(post, 5, 0, 0),
  })
}
