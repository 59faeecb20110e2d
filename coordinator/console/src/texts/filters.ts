import { inLanguages } from './language.ts'

export const filterTexts = inLanguages({
  en: {
    categories: 'Categories',
    categoriesHint: 'Keep only places of these, with commas between, for example: Bakery, Café. Empty: all.',
    minRating: 'Rating at least',
    minRatingHint: 'Above 0, unrated places are dropped.',
    minReviews: 'Reviews at least',
    minReviewsHint: 'A place that hides its number of reviews is kept.',
    phone: 'Phones',
    phones: { any: 'All places', with: 'Only places with a phone', without: 'Only places without a phone' },
    excludeClosed: 'Drop places that are closed, permanently or temporarily',
  },
  de: {
    categories: 'Kategorien',
    categoriesHint:
      'Nur Orte dieser Kategorien behalten, mit Kommas dazwischen, zum Beispiel: Bäckerei, Café. Leer: alle.',
    minRating: 'Bewertung mindestens',
    minRatingHint: 'Über 0 werden Orte ohne Bewertung verworfen.',
    minReviews: 'Rezensionen mindestens',
    minReviewsHint: 'Ein Ort, der ihre Zahl verbirgt, wird behalten.',
    phone: 'Telefon',
    phones: { any: 'Alle Orte', with: 'Nur Orte mit Telefon', without: 'Nur Orte ohne Telefon' },
    excludeClosed: 'Orte verwerfen, die dauerhaft oder vorübergehend geschlossen sind',
  },
})
