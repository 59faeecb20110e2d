import type { CategoryId } from '../city/categories.ts'

/** Every text of the site that depends on `hl`. */
export interface Words {
  /** Monday first. */
  weekdays: readonly string[]
  weekdaysShort: readonly string[]
  /** Formats a time of day, given in minutes after midnight. */
  time(minutes: number): string
  /** Formats one opening, e.g. "9 am–5 pm". */
  range(open: number, close: number): string
  closed: string
  open: string
  openNow: string
  open24: string
  closesAt(time: string): string
  opensAt(time: string, weekday?: string): string
  closesSoon: string
  opensSoon: string
  permanentlyClosed: string
  temporarilyClosed: string
  category: Readonly<Record<CategoryId, string>>
  /** The second label of a category's places. */
  subcategory: Readonly<Record<CategoryId, string>>
  owner: string
  about: Readonly<Record<AboutWord, string>>
  photoTabs: Readonly<Record<PhotoTab, string>>
  reviewCount(count: number): string
  /** Formats an age, e.g. "2 months ago". */
  ago(count: number, unit: 'day' | 'week' | 'month' | 'year'): string
  edited(ago: string): string
  ownerText(title: string): string
  editorial: string
  praise: readonly string[]
  thanks: string
  services: Readonly<Record<ServiceWord | 'heading' | 'described', string>>
  /** Formats the lowest price of a service. */
  fromPrice(euros: number): string
  dishes: Readonly<Record<DishWord, string>>
  /** Says how many minutes people stay. */
  stay(minutes: number): string
  posts: readonly string[]
  questions: readonly string[]
  answers: readonly string[]
  topics: readonly string[]
  alsoSearched: string
  languageNames: Readonly<Record<'en' | 'de', string>>
  page: Readonly<Record<PageWord, string>>
}

export type ServiceWord = 'consultation' | 'check' | 'weekend'

export type DishWord = 'soup' | 'cake' | 'salad'

export type AboutWord =
  | 'service_options'
  | 'accessibility'
  | 'amenities'
  | 'payments'
  | 'children'
  | 'outdoor_seating'
  | 'delivery'
  | 'takeout'
  | 'dine_in'
  | 'wheelchair_entrance'
  | 'no_wheelchair_entrance'
  | 'wifi'
  | 'free_wifi'
  | 'toilets'
  | 'credit_cards'
  | 'debit_cards'
  | 'nfc'
  | 'kids'

export type PhotoTab = 'all' | 'latest' | 'videos' | 'menu' | 'food' | 'owner' | 'street_view'

type PageWord =
  | 'resultsFor'
  | 'stars'
  | 'reviews'
  | 'endOfList'
  | 'notFound'
  | 'limited'
  | 'learnMore'
  | 'website'
  | 'directions'
  | 'sponsored'
  | 'address'
  | 'phone'
  | 'plusCode'
  | 'menu'
  | 'reserve'
  | 'overview'
  | 'about'
  | 'moreReviews'
  | 'sort'
  | 'mostRelevant'
  | 'newest'
  | 'highest'
  | 'lowest'
  | 'more'
  | 'seePhotos'
  | 'rejectAll'
  | 'acceptAll'
  | 'beforeYouContinue'

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Formats a time like "17:30". */
export const clock24 = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/**
 * Formats a time like "5:30 pm", or "5 pm" on the hour. The space is the narrow no-break space of the site since 2023.
 */
export const clock12 = (minutes: number) => `${bare12(minutes)}\u202f${half(minutes)}`

/** Formats an opening like "12:30–10 pm". The first time has am or pm only if the second one has the other. */
export const range12 = (open: number, close: number) =>
  half(open) === half(close) && close > open
    ? `${bare12(open)}–${clock12(close)}`
    : `${clock12(open)}–${clock12(close)}`

const half = (minutes: number) => (minutes < 720 ? 'am' : 'pm')
const bare12 = (minutes: number) => {
  const hour = Math.floor(minutes / 60) % 12 || 12
  return minutes % 60 === 0 ? `${hour}` : `${hour}:${twoDigits(minutes % 60)}`
}

/** Formats a whole number with a thousands separator. */
export const grouped = (count: number, separator: string) => String(count).replace(/\B(?=(\d{3})+$)/g, separator)
