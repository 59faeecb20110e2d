import { Alert } from '@mantine/core'
import type { Schemas } from '../api/client.ts'

/** The doctor's advice, in the words of the API: green only when no check fails or warns. */
export function Advice({ healthy, checks, advice }: Pick<Schemas['Diagnosis'], 'healthy' | 'checks' | 'advice'>) {
  const isWarned = checks.some(({ warning }) => warning)
  return (
    <Alert color={healthy ? (isWarned ? 'yellow' : 'green') : 'red'} role="status" variant="light">
      {advice.map((sentence) => (
        <div key={sentence} className="breakable" lang="en">
          {sentence}
        </div>
      ))}
    </Alert>
  )
}
