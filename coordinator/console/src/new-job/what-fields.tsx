import { NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { LANGUAGES } from '@placefleet/shared/language'
import { useLanguage, useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { type FieldsProps, nameOf, numberOr } from './draft.ts'
import { KeywordsInput } from './keywords-input.tsx'
import { PlacesInput } from './places-input.tsx'

/**
 * Keywords, places, name, language, number of places and the most that the job may cost. A monitor has a name of its
 * own.
 */
export function WhatFields({ draft, change, errorOf, isNamed = true }: FieldsProps & { isNamed?: boolean }) {
  const t = useTexts(newJobTexts)
  const { language } = useLanguage()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const languages = LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value }))
  return (
    <>
      <KeywordsInput
        keywords={draft.keywords}
        error={errorOf('keywords')}
        isRequired={draft.places.trim() === ''}
        onChange={(keywords) => change({ keywords })}
      />
      <PlacesInput draft={draft} change={change} errorOf={errorOf} />
      {isNamed && (
        <TextInput
          label={t.name}
          description={t.nameHint}
          value={draft.name}
          placeholder={nameOf(draft)}
          maxLength={200}
          error={errorOf('name')}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={t.language}
          description={t.languageHint}
          value={draft.language}
          data={languages.sort((one, other) => one.label.localeCompare(other.label, language))}
          error={errorOf('language')}
          onChange={({ currentTarget: { value } }) => change({ language: value })}
        />
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
