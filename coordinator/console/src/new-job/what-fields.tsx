import { NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { type FieldsProps, numberOr } from './draft.ts'
import { KeywordsInput } from './keywords-input.tsx'
import { PlacesInput } from './places-input.tsx'

/** Keywords, places by name, the number of places and the most that the job may cost. */
export function WhatFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  return (
    <>
      <KeywordsInput
        keywords={draft.keywords}
        error={errorOf('keywords')}
        isRequired={draft.places.trim() === ''}
        onChange={(keywords) => change({ keywords })}
      />
      <PlacesInput draft={draft} change={change} errorOf={errorOf} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <NumberInput
          label={t.places}
          description={t.placesHint}
          value={draft.max_results}
          min={1}
          max={500}
          disabled={draft.exhaust || (draft.keywords.length === 0 && draft.places.trim() !== '')}
          allowDecimal={false}
          allowNegative={false}
          error={errorOf('max_results')}
          onChange={(value) => change({ max_results: numberOr(value, draft.max_results) })}
        />
        <TextInput
          label={t.maxCost}
          description={t.maxCostHint}
          inputMode="decimal"
          value={draft.max_cost}
          error={errorOf('max_cost')}
          onChange={({ currentTarget: { value } }) => change({ max_cost: value.trim() })}
        />
      </SimpleGrid>
    </>
  )
}
