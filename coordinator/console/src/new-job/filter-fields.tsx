import { Checkbox, NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { filterTexts } from '../texts/filters.ts'
import { useTexts } from '../texts/language.ts'
import { type FieldsProps, numberOr } from './draft.ts'

const PHONES = { any: undefined, with: true, without: false } as const
type Phones = keyof typeof PHONES

/** Which places a job keeps. */
export function FilterFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(filterTexts)
  const phones = (Object.keys(PHONES) as Phones[]).map((value) => ({ value, label: t.phones[value] }))
  return (
    <>
      <TextInput
        label={t.categories}
        description={t.categoriesHint}
        value={draft.categories}
        error={errorOf('categories')}
        onChange={({ currentTarget: { value } }) => change({ categories: value })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label={t.minRating}
          description={t.minRatingHint}
          value={draft.min_rating}
          min={0}
          max={5}
          step={0.1}
          decimalScale={1}
          allowNegative={false}
          error={errorOf('min_rating')}
          onChange={(value) => change({ min_rating: numberOr(value, draft.min_rating) })}
        />
        <NumberInput
          label={t.minReviews}
          description={t.minReviewsHint}
          value={draft.min_review_count}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          error={errorOf('min_review_count')}
          onChange={(value) => change({ min_review_count: numberOr(value, draft.min_review_count) })}
        />
      </SimpleGrid>
      <NativeSelect
        label={t.phone}
        value={phones.find(({ value }) => PHONES[value] === draft.has_phone)?.value ?? 'any'}
        data={phones}
        onChange={({ currentTarget: { value } }) => change({ has_phone: PHONES[value as Phones] })}
      />
      <Checkbox
        label={t.excludeClosed}
        checked={draft.exclude_closed}
        onChange={({ currentTarget: { checked } }) => change({ exclude_closed: checked })}
      />
    </>
  )
}
