import { Checkbox, TextInput } from '@mantine/core'
import type { Faults } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.tsx'
import { monitorsTexts } from '../texts/monitors.ts'
import type { MonitorDraft } from './draft.ts'

type ExhaustFieldsProps = { draft: MonitorDraft; errorOf: Faults['of']; onChange(draft: MonitorDraft): void }

/** Asks whether each run finds all places of the area, and what it may cost then. */
export function ExhaustFields({ draft, errorOf, onChange }: ExhaustFieldsProps) {
  const t = useTexts(monitorsTexts)
  return (
    <>
      <Checkbox
        label={t.exhaust}
        description={t.exhaustHint}
        checked={draft.exhaust}
        error={errorOf('exhaust')}
        aria-invalid={errorOf('exhaust') !== undefined}
        onChange={({ currentTarget: { checked } }) => onChange({ ...draft, exhaust: checked })}
      />
      {draft.exhaust && (
        <TextInput
          label={t.maxCost}
          description={t.maxCostHint}
          inputMode="decimal"
          value={draft.max_cost}
          error={errorOf('max_cost')}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, max_cost: value.trim() })}
        />
      )}
    </>
  )
}
