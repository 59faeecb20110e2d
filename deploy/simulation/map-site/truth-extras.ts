import type { Place } from '@placefleet/shared/place'
import type { PlaceDetails } from './city/details.ts'
import type { Extras } from './city/extras.ts'
import { photoUrl } from './city/photos.ts'
import { addressLine } from './truth.ts'
import type { View } from './view.ts'

type Post = Extras['posts'][number]
type Service = Extras['services'][number]

const DAY_SECONDS = 86_400

/** The size of pictures of posts and of dishes. */
export const POST_PICTURE = 'h400-no'
export const DISH_PICTURE = 'w640-h640-n-k-no'

/** Returns the URL of a post's page. */
export const postLink = ({ id }: Post) => `https://search.google.com/local/posts?lpsid=${id}&source=sh/x/localposts`

/** Returns the time of a post in seconds since 1970. */
export const postedAt = ({ daysAgo }: Post, view: View) => Math.floor(view.now / 1_000) - daysAgo * DAY_SECONDS

/** Returns the address in the words of the place itself, for the few places where it differs. */
export const localAddress = (place: PlaceDetails) => {
  const line = addressLine(place)
  return place.localTitle && line ? `An der Ecke, ${line}` : undefined
}

export const priceWords = ({ euros }: Service, view: View) => (euros ? view.words.fromPrice(euros) : undefined)

/** Returns question number `nth` with its answers. */
export const questionWords = (answers: number, nth: number, { words }: View) => ({
  question: words.questions[nth] ?? '',
  answers: words.answers.slice(0, answers),
})

/** Returns what a correct collection reports of the offers and posts of the owner and the questions of visitors. */
export function extrasTruth(place: PlaceDetails, view: View, neighbour: PlaceDetails): Partial<Place> {
  const { posts, services, dishes, questions, topics, stay } = place.extras
  const { words } = view
  const address = localAddress(place)
  return {
    claimed: place.ownerId !== undefined,
    ...(place.localTitle ? { local_title: place.localTitle } : {}),
    ...(address ? { local_address: address } : {}),
    ...(place.phone ? { phone_e164: place.phone.international.replaceAll(' ', '') } : {}),
    ...(stay ? { time_spent: words.stay(stay) } : {}),
    ...(place.appointments.length > 0 ? { booking_links: place.appointments } : {}),
    ...(posts.length > 0 ? { posts: posts.map((post, nth) => postTruth(post, nth, view)) } : {}),
    ...(services.length > 0 ? { services: [serviceGroup(services, view)] } : {}),
    ...(questions.length > 0 ? { questions: questions.map((answers, nth) => questionWords(answers, nth, view)) } : {}),
    ...(dishes.length > 0
      ? {
          popular_dishes: dishes.map(({ dish, photo }) => ({
            name: words.dishes[dish],
            image: photoUrl(photo, DISH_PICTURE),
          })),
        }
      : {}),
    also_searched: [{ title: neighbour.title, ...(neighbour.rating ? { rating: neighbour.rating.value } : {}) }],
    ...(topics.length > 0
      ? { review_topics: topics.map(({ nth, count }) => ({ topic: words.topics[nth] ?? '', count })) }
      : {}),
  }
}

const postTruth = (post: Post, nth: number, view: View) => ({
  text: view.words.posts[nth] ?? '',
  published_at: new Date(postedAt(post, view) * 1_000).toISOString(),
  link: postLink(post),
  ...(post.photo ? { image: photoUrl(post.photo, POST_PICTURE) } : {}),
})

const serviceGroup = (services: Service[], view: View) => ({
  name: view.words.services.heading,
  items: services.map((service) => {
    const price = priceWords(service, view)
    return {
      name: view.words.services[service.service],
      ...(price ? { price } : {}),
      ...(service.described ? { description: view.words.services.described } : {}),
    }
  }),
})
