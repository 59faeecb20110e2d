import { chance } from '../random.ts'
import { type AboutFact, aboutOf } from './about.ts'
import { type CategoryId, categoryOf, GASTRONOMY } from './categories.ts'
import { type Extras, extrasOf } from './extras.ts'
import { type Location, locationOf, plusCodeOf, type StreetAddress, streetAddressOf } from './geography.ts'
import { accountId, type Identifiers, identifiersOf } from './identifiers.ts'
import { localTitleOf, titleOf } from './names.ts'
import { type PhotoTabEntry, photosOf } from './photos.ts'
import { type Busyness, busynessOf } from './popular-times.ts'
import { type Rating, ratingOf } from './rating.ts'
import { type Schedule, scheduleOf } from './schedule.ts'
import { type WebAddress, webAddressOf } from './web-address.ts'

export interface NamedLink {
  link: string
  source: string
}

/** All data of a place, without a language: words are added in the answer. */
export interface PlaceDetails {
  index: number
  title: string
  localTitle: string | undefined
  category: CategoryId
  categoryType: string
  ids: Identifiers
  location: Location
  /** Absent for a business that only visits its customers. */
  address: StreetAddress | undefined
  plusCode: string
  phone: { national: string; international: string } | undefined
  web: WebAddress
  /** Absent when the place is unrated. */
  rating: Rating | undefined
  price: string | undefined
  schedule: Schedule
  closed: 'permanently' | 'temporarily' | undefined
  busyness: Busyness | undefined
  reservations: NamedLink[]
  /** Whether reservations are at [46] too, or only as a group at [75]. */
  reservationsListed: boolean
  appointments: NamedLink[]
  orders: NamedLink[]
  menu: NamedLink | undefined
  ownerId: string | undefined
  hasOwnerText: boolean
  hasEditorial: boolean
  photos: PhotoTabEntry[]
  photoCount: number
  /** Panorama of the street in front; absent when there is none or only a visitor's own picture. */
  panorama: string | undefined
  about: AboutFact[]
  extras: Extras
}

const DETAIL_SALT = 61

const closedOf = (roll: number) => (roll < 0.02 ? 'permanently' : roll < 0.035 ? 'temporarily' : undefined)

const linksOf = (index: number, gastronomy: boolean, seed: number) => {
  const dice = chance(seed, index, DETAIL_SALT + 1)
  const link = (host: string, path: string): NamedLink => ({
    link: `https://${host}/${path}${index}?utm_source=maps`,
    source: host,
  })
  const reserves = gastronomy && dice.happens(0.35)
  return {
    reservations: reserves ? [link('resmio.com', 'book/r')] : [],
    reservationsListed: dice.happens(0.7),
    orders:
      gastronomy && dice.happens(0.4) ? [link('lieferando.de', 'menu/'), link('wolt.com', 'de/deu/berlin/venue/')] : [],
    menu: gastronomy && dice.happens(0.4) ? link('speisekarte.menu', 'm/') : undefined,
    appointments: !gastronomy && dice.happens(0.3) ? [link('termine24-berlin.de', 'a/')] : [],
  }
}

const phoneOf = (seed: number, index: number) => {
  const dice = chance(seed, index, DETAIL_SALT + 2)
  if (dice.happens(0.06)) return undefined
  const subscriber = String(dice.between(2_000_000, 9_999_999))
  return { national: `030 ${subscriber}`, international: `+49 30 ${subscriber}` }
}

/** Returns place number `index`. The same seed and number always return the same place. */
export function detailsOf(seed: number, index: number): PlaceDetails {
  const dice = chance(seed, index, DETAIL_SALT)
  const category = categoryOf(index)
  const gastronomy = GASTRONOMY.includes(category.id)
  const location = locationOf(seed, index)
  const schedule = scheduleOf(seed, index)
  const closed = closedOf(dice.next())
  const hasAddress = !(category.id === 'plumber' && dice.happens(0.4))
  const pictures = photosOf(seed, index, gastronomy)
  return {
    index,
    title: titleOf(seed, index),
    localTitle: localTitleOf(seed, index),
    category: category.id,
    categoryType: category.type,
    ids: identifiersOf(seed, index),
    location,
    address: hasAddress ? streetAddressOf(seed, index) : undefined,
    plusCode: plusCodeOf(location),
    phone: phoneOf(seed, index),
    web: webAddressOf(seed, index),
    rating: ratingOf(seed, index),
    price: gastronomy && dice.happens(0.6) ? dice.pick(['€', '€€', '€€€', '€10–20', '€20–30']) : undefined,
    schedule: closed ? { kind: 'unknown' } : schedule,
    closed,
    busyness: gastronomy && !closed && dice.happens(0.7) ? busynessOf(seed, index, schedule) : undefined,
    ...linksOf(index, gastronomy, seed),
    ownerId: dice.happens(0.75) ? accountId(seed, index) : undefined,
    hasOwnerText: dice.happens(0.3),
    hasEditorial: dice.happens(0.25),
    ...pictures,
    about: aboutOf(seed, index, category.id, gastronomy),
    extras: extrasOf(seed, index, gastronomy),
  }
}
