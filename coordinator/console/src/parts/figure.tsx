import { Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A figure with its label. */
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

/** Formats credits with two to four decimals, e.g. "24.70" or "0.0035". */
export function credits(amount: string | number, language = 'en'): string {
  return Number(amount).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}

/** Formats seconds in the unit that suits them, e.g. "40 seconds", "12 minutes" or "1.5 hours". */
export function duration(seconds: number, language = 'en'): string {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3_600 ? [seconds / 60, 'minute'] : [seconds / 3_600, 'hour']
  const maximumFractionDigits = unit === 'hour' ? 1 : 0
  return value.toLocaleString(language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits })
}

/** Formats a count with thousands separators. */
export const count = (value: number, language = 'en'): string => value.toLocaleString(language)
