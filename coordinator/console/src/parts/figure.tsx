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
