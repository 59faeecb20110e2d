import { Checkbox, TextInput } from '@mantine/core'
import { detailOf } from '../api/client.ts'
import { useTexts } from '../texts/language.tsx'
import { monitorsTexts } from '../texts/monitors.ts'
import type { MonitorDraft } from './draft.ts'

type ExhaustFieldsProps = { draft: MonitorDraft; error: unknown; onChange(draft: MonitorDraft): void }

/** Asks whether each run finds all places of the area, and what it may cost then. */
export function ExhaustFields({ draft, error, onChange }: ExhaustFieldsProps) {
  const t = useTexts(monitorsTexts)
  return (
    <>
      <Checkbox
        label={t.exhaust}
        description={t.exhaustHint}
        checked={draft.exhaust}
        error={detailOf(error, 'exhaust')}
        onChange={({ currentTarget: { checked } }) => onChange({ ...draft, exhaust: checked })}
      />
      {draft.exhaust && (
        <TextInput
          label={t.maxCost}
          description={t.maxCostHint}
          inputMode="decimal"
          value={draft.max_cost}
          error={detailOf(error, 'max_cost')}
          onChange={({ currentTarget: { value } }) => onChange({ ...draft, max_cost: value.trim() })}
        />
      )}
    </>
  )
}
