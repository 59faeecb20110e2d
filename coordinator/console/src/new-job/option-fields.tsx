import { Checkbox, NativeSelect, NumberInput, Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { LANGUAGES } from '@placefleet/shared/language'
import { WEBSITE_FILTERS } from '@placefleet/shared/web-presence/tiers'
import type { ChangeEvent } from 'react'
import { useLanguage, useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { type Draft, type FieldsProps, nameOf, numberOr } from './draft.ts'
import { FilterFields } from './filter-fields.tsx'
import { ReviewFields } from './review-fields.tsx'

type ProxiesFieldProps = {
  description: string
  value: string
  error: string | undefined
  onChange(proxies: string): void
}

/** The proxies of a job. They may hold passwords, so the browser neither completes nor checks the text. */
function ProxiesField({ description, value, error, onChange }: ProxiesFieldProps) {
  const t = useTexts(newJobTexts)
  return (
    <Textarea
      label={t.proxies}
      description={description}
      value={value}
      minRows={2}
      spellCheck={false}
      autoComplete="off"
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/**
 * The name, the language and the options that most jobs leave unchanged. The form of a monitor has a name of its own,
 * and asks for only new places itself.
 */
export function OptionFields({ draft, change, errorOf, ofMonitor = false }: FieldsProps & { ofMonitor?: boolean }) {
  const t = useTexts(newJobTexts)
  const checked = (field: 'include_emails' | 'fast_mode' | 'only_new' | 'exhaust') => ({
    checked: draft[field],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => change({ [field]: currentTarget.checked }),
  })
  return (
    <Paper withBorder component="details" className="more">
      <summary>{t.options}</summary>
      <Stack gap="md" pt="md">
        {!ofMonitor && <NameField draft={draft} change={change} errorOf={errorOf} />}
        <LanguageField draft={draft} change={change} errorOf={errorOf} />
        <NativeSelect
          label={t.website}
          value={draft.website_filter}
          data={WEBSITE_FILTERS.map((value) => ({ value, label: t.websites[value] }))}
          onChange={({ currentTarget: { value } }) => change({ website_filter: value as Draft['website_filter'] })}
        />
        <FilterFields draft={draft} change={change} errorOf={errorOf} />
        <Checkbox {...checked('include_emails')} label={t.emails} />
        <Checkbox {...checked('fast_mode')} label={t.fast} />
        {!ofMonitor && <Checkbox {...checked('only_new')} label={t.onlyNew} description={t.onlyNewHint} />}
        <Checkbox {...checked('exhaust')} label={t.exhaust} description={t.exhaustHint} error={errorOf('exhaust')} />
        <Checkbox
          label={t.audit}
          description={t.auditHint}
          checked={draft.coverage === 'audited'}
          disabled={draft.exhaust}
          onChange={({ currentTarget: { checked } }) => change({ coverage: checked ? 'audited' : undefined })}
        />
        <NumberFields draft={draft} change={change} errorOf={errorOf} />
        {draft.max_reviews > 0 && <ReviewFields draft={draft} change={change} errorOf={errorOf} />}
        <ProxiesField
          description={t.proxiesHint}
          value={draft.proxies}
          error={errorOf('proxies')}
          onChange={(proxies) => change({ proxies })}
        />
      </Stack>
    </Paper>
  )
}

function NameField({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  return (
    <TextInput
      label={t.name}
      description={t.nameHint}
      value={draft.name}
      placeholder={nameOf(draft)}
      maxLength={200}
      error={errorOf('name')}
      onChange={({ currentTarget: { value } }) => change({ name: value })}
    />
  )
}

function LanguageField({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  const { language } = useLanguage()
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const languages = LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value }))
  return (
    <NativeSelect
      label={t.language}
      description={t.languageHint}
      value={draft.language}
      data={languages.sort((one, other) => one.label.localeCompare(other.label, language))}
      error={errorOf('language')}
      onChange={({ currentTarget: { value } }) => change({ language: value })}
    />
  )
}

function NumberFields({ draft, change, errorOf }: FieldsProps) {
  const t = useTexts(newJobTexts)
  const number = (field: NumberField, label: string, [min, max]: [number, number], description?: string) => (
    <NumberInput
      label={label}
      description={description}
      value={draft[field]}
      min={min}
      max={max}
      allowDecimal={field === 'max_minutes'}
      decimalScale={2}
      allowNegative={false}
      error={errorOf(field === 'max_minutes' ? 'max_time' : field)}
      onChange={(value) => change({ [field]: numberOr(value, draft[field]) })}
    />
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {number('max_reviews', t.reviews, [0, 500])}
      {number('max_images', t.images, [0, 500])}
      {number('depth', t.depth, [1, 20], t.depthHint)}
      {number('max_minutes', t.maxTime, [1, 60], t.maxTimeHint)}
    </SimpleGrid>
  )
}

type NumberField = 'max_reviews' | 'max_images' | 'depth' | 'max_minutes'
