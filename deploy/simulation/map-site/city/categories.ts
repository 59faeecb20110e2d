import type { Words } from '../language.ts'

export type CategoryId = keyof Words['category']

/** The categories of restaurants and bars: they have menus, online orders, popular times and prices. */
export const GASTRONOMY: readonly CategoryId[] = ['restaurant', 'cafe', 'coffee_shop', 'bakery', 'bar']
const OTHER: readonly CategoryId[] = ['hotel', 'dentist', 'plumber', 'hairdresser', 'lawyer', 'gym', 'florist']

/** The categories of businesses in the city. Place i has category `i % 12`; the word is in the titles of its places. */
export const CATEGORIES = [...GASTRONOMY, ...OTHER].map((id) => {
  const [word = ''] = id.split('_')
  return { id, word: `${word.charAt(0).toUpperCase()}${word.slice(1)}` }
})

export function categoryOf(index: number): { id: CategoryId; word: string } {
  return CATEGORIES[index % CATEGORIES.length] ?? { id: 'restaurant', word: '' }
}
