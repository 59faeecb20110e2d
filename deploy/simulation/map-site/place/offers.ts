import { type Photo, photoOf, photoUrl } from '../city/photos.ts'
import { type Cell, row } from '../payload/row.ts'
import { clickId } from '../payload/tracking.ts'
import { chance } from '../random.ts'
import { NOW, type View } from '../view.ts'
import type { PlaceDetails } from './details.ts'
import { type Facet, filled } from './facet.ts'
import { photoRecord } from './photos.ts'

const LINK_SALT = 62

type NamedLink = { link: string; source: string }

const linkCell = ({ link, source }: NamedLink, index: number): Cell => [
  link,
  source,
  null,
  null,
  `,AOvVaw,,${clickId(index, 61)},`,
]

/** Returns the links of a place: menu `[38]`, reservations `[46]`, and groups of actions by type `[75]`. */
export function linksFacet({ seed, index, gastronomy }: PlaceDetails): Facet {
  const dice = chance(seed, index, LINK_SALT)
  const link = (host: string, path: string): NamedLink => ({
    link: `https://${host}/${path}${index}?utm_source=maps`,
    source: host,
  })
  const reservations = gastronomy && dice.happens(0.35) ? [link('resmio.com', 'book/r')] : []
  // Some places have reservations only in the groups.
  const isListed = dice.happens(0.7)
  const orders =
    gastronomy && dice.happens(0.4) ? [link('lieferando.de', 'menu/'), link('wolt.com', 'de/deu/berlin/venue/')] : []
  const menu = gastronomy && dice.happens(0.4) ? link('speisekarte.menu', 'm/') : undefined
  const appointments = !gastronomy && dice.happens(0.3) ? [link('termine24-berlin.de', 'a/')] : []
  const groups = [
    group(1, 21631, reservations, index),
    group(3, 21633, appointments, index),
    group(4, 21634, orders, index),
  ].flat()
  return {
    members: {
      38: menu && linkCell(menu, index),
      46: isListed ? filled(reservations.map((listed) => linkCell(listed, index))) : undefined,
      75: groups.length > 0 ? [groups] : undefined,
    },
    truth: {
      reservations: filled(reservations),
      order_online: filled(orders),
      booking_links: filled(appointments),
      menu,
    },
  }
}

const group = (type: number, code: number, links: NamedLink[], index: number): Cell[] => {
  const items = links.map(({ link, source }): Cell => {
    const target: Cell = [link, [link, null, null, null, `,AOvVaw,,${clickId(index, 62)},`]]
    return [
      [source, null, ['https://lh3.googleusercontent.com/partner-logo', source.toUpperCase(), [80, 80]]],
      [null, null, target],
    ]
  })
  return items.length > 0 ? [[type, null, items, null, code]] : []
}

const EXTRA_SALT = 131
const DAY_SECONDS = 86_400

/** Returns what the owner offers and posts, and what visitors ask and write about. Some places have none of a kind. */
export function extrasFacet(place: PlaceDetails, { words }: View): Facet {
  const { seed, index, gastronomy, title } = place
  const dice = chance(seed, index, EXTRA_SALT)
  const pickFew = <Kind>(kinds: readonly Kind[]): readonly Kind[] =>
    dice.happens(0.5) ? kinds.slice(0, dice.between(1, kinds.length)) : []
  const picture = (nth: number) => photoOf(seed, index, 5_000 + nth)
  const posts = pickFew(words.posts).map((text, nth) => {
    const id = String(dice.between(1_000_000, 9_999_999))
    return postOf(id, text, nth, dice.happens(0.7) ? picture(nth) : undefined)
  })
  const services = pickFew(gastronomy ? [] : words.services).map((name) => {
    const price = dice.happens(0.6) ? `${words.from} €${dice.between(10, 200)}.00` : undefined
    return { name, price, description: dice.happens(0.5) ? words.serviceDescription : undefined }
  })
  const dishes = pickFew(gastronomy ? words.dishes : []).map((name, nth) => ({ name, photo: picture(10 + nth) }))
  const questions = pickFew(words.questions).map((question) => {
    return { question, answers: words.answers.slice(0, dice.between(0, 2)) }
  })
  const topics = pickFew(words.topics).map((topic) => ({ topic, count: dice.between(2, 60) }))
  const stay = dice.happens(0.4) ? dice.pick([20, 30, 45, 60, 120]) : undefined
  const time_spent = stay && words.stay(stay)
  const logo: Cell = [title, 'https://lh4.googleusercontent.com/logo/photo.jpg']
  const items = services.map(({ name, price, description }): Cell => {
    return [description ? [name, description] : [name], ...(price ? [[price]] : [])]
  })
  return {
    members: {
      117: stay && time_spent && [time_spent, null, [time_spent, [[stay - 7, stay - 1, [[5]]]]]],
      120: dishes.length > 0 ? dishesCell(place, dishes) : undefined,
      122: posts.length > 0 ? [logo, posts.map(({ cell }) => cell), [1]] : undefined,
      125: items.length > 0 ? [[[null, [[[words.servicesHeading], [items]]], null, null, 4]]] : undefined,
      126: questions.length > 0 ? [questions.map(questionCell), questions.length] : undefined,
      153: topics.length > 0 ? [topics.map(topicCell)] : undefined,
    },
    truth: {
      time_spent: time_spent || undefined,
      posts: filled(posts.map(({ truth }) => truth)),
      services: services.length > 0 ? [{ name: words.servicesHeading, items: services }] : undefined,
      questions: filled(questions),
      popular_dishes: filled(dishes.map(({ name, photo }) => ({ name, image: photoUrl(photo, DISH_PICTURE) }))),
      review_topics: filled(topics),
    },
  }
}

function postOf(id: string, text: string, nth: number, photo: Photo | undefined) {
  const seconds = Math.floor(NOW / 1_000) - (3 + nth * 20) * DAY_SECONDS
  const link = `https://search.google.com/local/posts?lpsid=${id}&source=sh/x/localposts`
  const image = photo && photoUrl(photo, 'h400-no')
  const cell = row(
    {
      1: [[[text, 1]]],
      2: [seconds, seconds + 1],
      5: photo && image ? [[image, 1, null, '', photo.id]] : undefined,
      9: link,
    },
    26,
  )
  return { cell, truth: { text, published_at: new Date(seconds * 1_000).toISOString(), link, image } }
}

const DISH_PICTURE = 'w640-h640-n-k-no'

// The last row is a photo without the name of a dish.
const dishesCell = (place: PlaceDetails, dishes: readonly { name: string; photo: Photo }[]): Cell => {
  const rows = dishes.map(({ name, photo }) =>
    row({ 4: name, 6: [photoRecord(place, photo, DISH_PICTURE)], 12: 1 }, 21),
  )
  return [null, null, null, '', [[1, [...rows, ...rows.slice(0, 1).map((first) => first.with(4, null))]]]]
}

// The text of a question and of an answer is at [2].
const questionCell = ({ question, answers }: { question: string; answers: string[] }): Cell => [
  row({ 2: question }),
  filled(answers.map((answer) => row({ 2: answer }))) ?? null,
  answers.length,
]

const topicCell = ({ topic, count }: { topic: string; count: number }): Cell => row({ 1: topic, 3: row({ 4: count }) })
