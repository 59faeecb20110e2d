import { SimpleGrid, TextInput } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import type { Faults } from '../parts/faults.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.ts'

/** The limits in the form. Empty means no limit. */
export type LimitsDraft = { day: string; month: string }

/** The fields of the API that show the limits. */
export const LIMIT_FIELDS = { 'limits.day': ['day'], 'limits.month': ['month'] } as const

type LimitFieldsProps = { draft: LimitsDraft; errorOf: Faults['of']; onChange(draft: LimitsDraft): void }

/** The most that the jobs of a key may cost in a day and in a month. */
export function LimitFields({ draft, errorOf, onChange }: LimitFieldsProps) {
  const t = useTexts(keysTexts)
  const input = (field: keyof LimitsDraft) => ({
    inputMode: 'decimal' as const,
    value: draft[field],
    error: errorOf(`limits.${field}`),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [field]: value.trim() }),
  })
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput label={t.day} description={t.dayHint} {...input('day')} data-autofocus />
      <TextInput label={t.month} description={t.monthHint} {...input('month')} />
    </SimpleGrid>
  )
}

/** Returns the limits in the form of the API. */
export const limitsOf = ({ day, month }: LimitsDraft): Schemas['SpendingLimitsInput'] => ({
  ...(day === '' ? {} : { day }),
  ...(month === '' ? {} : { month }),
})
