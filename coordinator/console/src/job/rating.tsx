import { Text, VisuallyHidden } from '@mantine/core'
import { count } from '../parts/formats.ts'
import { useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import type { Place } from './use-places.ts'

/** A rating, and the number of reviews. */
export function Rating({ place, language }: { place: Place; language: string }) {
  const t = useTexts(placesTexts)
  if (place.rating === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.unrated}
      </Text>
    )
  }
  const rating = place.rating.toLocaleString(language, { minimumFractionDigits: 1 })
  const reviews = place.review_count === undefined ? '?' : count(place.review_count, language)
  return (
    <Text size="sm" className="figures one-line" component="div">
      <VisuallyHidden>{t.rated(rating, reviews)}</VisuallyHidden>
      <span aria-hidden="true">
        <span className="star">★</span> {rating}{' '}
        <Text span size="xs" c="dimmed">
          ({reviews})
        </Text>
      </span>
    </Text>
  )
}
