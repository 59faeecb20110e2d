import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { OutsideLink } from '../parts/outside-link.tsx'
import { useTexts } from '../texts/language.ts'
import { placesTexts } from '../texts/places.ts'
import type { Place } from './use-places.ts'

const AT_ONCE = 10

/** What the writer answered to questions of the map site, and links to the videos. */
function ReviewAnswers({ review }: { review: Place['user_reviews'][number] }) {
  const t = useTexts(placesTexts)
  const answers = (review.answers ?? []).map(
    ({ id, name = id, rating, choices = [] }) =>
      `${name}: ${rating === undefined ? choices.join(', ') : `★ ${rating}`}`,
  )
  return (
    <Group gap="sm" mt={4}>
      {answers.length > 0 && (
        <Text size="xs" c="dimmed">
          {answers.join(' · ')}
        </Text>
      )}
      {(review.videos ?? []).map((video, index) => (
        <Text key={video} size="xs">
          <OutsideLink href={video}>{t.video(index + 1)}</OutsideLink>
        </Text>
      ))}
    </Group>
  )
}

/** The reviews of a place, ten per page. */
export function PlaceReviews({ place }: { place: Place }) {
  const t = useTexts(placesTexts)
  const [shown, setShown] = useState(AT_ONCE)
  const reviews = [...place.user_reviews, ...(place.user_reviews_extended ?? [])]
  if (reviews.length === 0) return null
  return (
    <div>
      <Title order={3} size="h5" mb="xs">
        {t.reviews} ({reviews.length})
      </Title>
      <Stack gap="xs">
        {reviews.slice(0, shown).map((review) => (
          <Paper key={review.id} withBorder p="sm">
            <Group gap="xs">
              {review.rating !== undefined && <Text size="sm">★ {review.rating}</Text>}
              {review.author && (
                <Text size="sm" c="dimmed" className="breakable">
                  {t.reviewBy(review.author)}
                </Text>
              )}
              <Text size="xs" c="dimmed">
                {review.relative_time}
              </Text>
            </Group>
            <Text size="sm" className="prewrap">
              {review.text}
            </Text>
            <ReviewAnswers review={review} />
            {review.reply?.text && (
              <Text size="sm" c="dimmed" className="prewrap" mt={4} pl="sm">
                {t.reply}: {review.reply.text}
              </Text>
            )}
          </Paper>
        ))}
        {reviews.length > shown && (
          <Button variant="default" size="xs" onClick={() => setShown(shown + AT_ONCE)}>
            {t.more(reviews.length - shown)}
          </Button>
        )}
      </Stack>
    </div>
  )
}
