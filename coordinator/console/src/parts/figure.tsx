import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One figure with what it counts. */
export function Figure({ label, value, hint }: { label: string; value: ReactNode; hint?: ReactNode }) {
  return (
    <Paper withBorder px="md" py="sm" className="figure">
      <Text size="xs" c="dimmed" component="div">
        {label}
      </Text>
      <Text fw={650} size="xl" component="div" className="figures">
        {value}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" component="div">
          {hint}
        </Text>
      )}
    </Paper>
  )
}

/** Credits for people: at most four decimals, at least two, e.g. "24.70" or "0.0035". */
export function credits(amount: string | number, language = 'en'): string {
  return Number(amount).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}

/** A count with its thousands divided. */
export const count = (value: number, language = 'en'): string => value.toLocaleString(language)
