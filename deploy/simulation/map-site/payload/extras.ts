import type { PlaceDetails } from '../city/details.ts'
import { photoUrl } from '../city/photos.ts'
import { contributorLink } from '../truth.ts'
import { DISH_PICTURE, POST_PICTURE, postedAt, postLink, priceWords, questionWords } from '../truth-extras.ts'
import type { View } from '../view.ts'
import { photoRecord } from './photos.ts'
import { type Cell, row } from './row.ts'

/** Returns the members of a place node with what its owner offers and posts, and what visitors ask and write about. */
export const extraMembers = (place: PlaceDetails, view: View): Record<number, Cell | undefined> => ({
  117: stayCell(place, view),
  120: dishesCell(place, view),
  122: postsCell(place, view),
  125: servicesCell(place, view),
  126: questionsCell(place, view),
  153: topicsCell(place, view),
})

const stayCell = ({ extras: { stay } }: PlaceDetails, { words }: View): Cell | undefined =>
  stay === undefined ? undefined : [words.stay(stay), null, [words.stay(stay), [[stay - 7, stay - 1, [[5]]]]]]

// The last row is a photo without the name of a dish.
const dishesCell = (place: PlaceDetails, { words }: View): Cell | undefined => {
  const { dishes } = place.extras
  if (dishes.length === 0) return undefined
  const pictures = dishes.map(({ photo }): Cell => [photoRecord(place, photo, DISH_PICTURE)])
  const rows = dishes.map(({ dish }, nth) => row({ 4: words.dishes[dish], 6: pictures[nth], 12: 1 }, 21))
  return [null, null, null, '', [[1, [...rows, row({ 6: pictures[0], 12: 1 }, 21)]]]]
}

const postsCell = (place: PlaceDetails, view: View): Cell | undefined => {
  const { posts } = place.extras
  if (posts.length === 0) return undefined
  const cells = posts.map((post, nth) =>
    row(
      {
        1: [[[view.words.posts[nth] ?? '', 1]]],
        2: [postedAt(post, view), postedAt(post, view) + 1],
        5: post.photo && [[photoUrl(post.photo, POST_PICTURE), 1, null, '', post.photo.id]],
        6: post.id,
        8: ['https://www.google.com/search?q=post', `/gmb/local_post/${post.id}`],
        9: postLink(post),
      },
      26,
    ),
  )
  return [[place.title, 'https://lh4.googleusercontent.com/logo/photo.jpg'], cells, [1]]
}

const servicesCell = ({ extras: { services } }: PlaceDetails, view: View): Cell | undefined => {
  if (services.length === 0) return undefined
  const { words } = view
  const items = services.map((service): Cell => {
    const name = words.services[service.service]
    const price = priceWords(service, view)
    return [service.described ? [name, words.services.described] : [name], ...(price ? [[price]] : [])]
  })
  return [[[null, [[[words.services.heading], [items]]], null, null, 4]]]
}

const questionsCell = ({ extras: { questions } }: PlaceDetails, view: View): Cell | undefined => {
  if (questions.length === 0) return undefined
  const cells = questions.map((count, nth): Cell => {
    const { question, answers } = questionWords(count, nth, view)
    return [spoken(question), answers.length > 0 ? answers.map(spoken) : null, answers.length]
  })
  return [cells, questions.length]
}

// A question or an answer, with the visitor who wrote it.
const spoken = (text: string): Cell => [
  '8@1:CAESGUNWX0',
  [null, null, null, null, ['Ada', 'https://lh3.googleusercontent.com/a/ada=s120', [contributorLink('1')]]],
  text,
]

const topicsCell = ({ extras: { topics } }: PlaceDetails, { words }: View): Cell | undefined =>
  topics.length === 0
    ? undefined
    : [
        topics.map(
          ({ nth, count }): Cell => [
            ['/m/01z8mz'],
            words.topics[nth] ?? '',
            null,
            [null, null, null, null, count, 0, count],
          ],
        ),
      ]
