import { Autocomplete, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { count } from '../parts/formats.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { townsQuery } from './new-job-queries.ts'

const SEARCH_AFTER_MS = 300

type Town = Schemas['Town']

/** Finds a town by the beginning of its name, in the coordinator's list of towns. Contacts no other host. */
export function TownSearch({ onFound }: { onFound(town: Town): void }) {
  const t = useTexts(newJobTexts)
  const { language } = useLanguage()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), SEARCH_AFTER_MS)
  const found = useQuery({ ...townsQuery(search), enabled: search !== '' && !search.includes(',') })
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const labelled = new Map((found.data?.towns ?? []).map((town) => [labelOf(town, countries), town]))
  return (
    <Autocomplete
      label={t.town}
      description={t.townHint}
      value={text}
      data={[...labelled.keys()]}
      filter={({ options }) => options} // the coordinator has filtered them already
      autoSelectOnBlur={false}
      error={faultOf(found, search === text.trim(), t)}
      onChange={setText}
      onOptionSubmit={(label) => {
        const town = labelled.get(label)
        if (town) onFound(town)
      }}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <Text size="sm">{option.value}</Text>
          <Text size="xs" c="dimmed">
            {t.population(count(labelled.get(option.value)?.population ?? 0, language))}
          </Text>
        </Group>
      )}
    />
  )
}

type Found = { data: Schemas['TownList'] | undefined; error: unknown }

/** Says that no town was found, or that none can be searched. */
function faultOf({ data, error }: Found, isCurrent: boolean, t: { noTown: string; townsFailed: string }) {
  if (error) return t.townsFailed
  return isCurrent && data?.towns.length === 0 ? t.noTown : undefined
}

/** Returns the name of a town. A well-known region code distinguishes towns of the same name, as in "Berlin, NH". */
function labelOf({ name, region, country }: Town, countries: Intl.DisplayNames): string {
  const shown = /^[A-Z]+$/.test(region) ? `${region}, ` : ''
  return `${name}, ${shown}${countries.of(country) ?? country}`
}
