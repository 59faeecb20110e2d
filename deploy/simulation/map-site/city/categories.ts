/** The categories of businesses in the city. Place i has category `i % 12`; the word is in the titles of its places. */
export const CATEGORIES = [
  { id: 'restaurant', word: 'Restaurant', type: 'SearchResult.TYPE_RESTAURANT' },
  { id: 'cafe', word: 'Cafe', type: 'SearchResult.TYPE_CAFE' },
  { id: 'coffee_shop', word: 'Coffee', type: 'SearchResult.TYPE_COFFEE' },
  { id: 'bakery', word: 'Bakery', type: 'SearchResult.TYPE_BAKERY' },
  { id: 'bar', word: 'Bar', type: 'SearchResult.TYPE_BAR' },
  { id: 'hotel', word: 'Hotel', type: 'SearchResult.TYPE_LODGING' },
  { id: 'dentist', word: 'Dentist', type: 'SearchResult.TYPE_DENTIST' },
  { id: 'plumber', word: 'Plumber', type: 'SearchResult.TYPE_CONTRACTOR' },
  { id: 'hairdresser', word: 'Hairdresser', type: 'SearchResult.TYPE_HAIR_SALON' },
  { id: 'lawyer', word: 'Lawyer', type: 'SearchResult.TYPE_LAWYER' },
  { id: 'gym', word: 'Gym', type: 'SearchResult.TYPE_GYM' },
  { id: 'florist', word: 'Florist', type: 'SearchResult.TYPE_FLORIST' },
] as const

export type CategoryId = (typeof CATEGORIES)[number]['id']

export function categoryOf(index: number): (typeof CATEGORIES)[number] {
  return CATEGORIES[index % CATEGORIES.length] ?? CATEGORIES[0]
}

/** The categories of restaurants and bars: they have menus, online orders, popular times and prices. */
export const GASTRONOMY: readonly CategoryId[] = ['restaurant', 'cafe', 'coffee_shop', 'bakery', 'bar']
