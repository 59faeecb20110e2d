import { Checkbox, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { REVIEW_ORDERS } from '@placefleet/shared/review-options'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import type { Draft, FieldsProps } from './draft.ts'

const STARS = [1, 2, 3, 4, 5].map(String)

/** Which reviews a job with reviews collects. */
export function ReviewFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t.reviewsSort}
          value={draft.reviews_sort}
          data={REVIEW_ORDERS.map((value) => ({ value, label: t.reviewOrders[value] }))}
          onChange={({ currentTarget: { value } }) => change({ reviews_sort: value as Draft['reviews_sort'] })}
        />
        <TextInput
          type="date"
          label={t.reviewsSince}
          description={t.reviewsSinceHint}
          value={draft.reviews_since}
          error={errorOf('reviews_since')}
          onChange={({ currentTarget: { value } }) => change({ reviews_since: value })}
        />
      </SimpleGrid>
      <Checkbox.Group
        label={t.reviewsRatings}
        description={t.reviewsRatingsHint}
        value={draft.reviews_ratings.map(String)}
        onChange={(stars) => change({ reviews_ratings: stars.map(Number).sort() })}
      >
        <Group mt="xs">
          {STARS.map((stars) => (
            <Checkbox key={stars} value={stars} label={t.stars(stars)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label={t.reviewerNames}
        checked={draft.reviewer_names}
        onChange={({ currentTarget: { checked } }) => change({ reviewer_names: checked })}
      />
    </>
  )
}
