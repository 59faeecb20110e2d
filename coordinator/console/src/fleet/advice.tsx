import { Alert, List } from '@mantine/core'
import type { Schemas } from '../api/client.ts'

/** The doctor's advice, in the words of the API: green only when no check fails or warns. */
export function Advice({ healthy, checks, advice }: Pick<Schemas['Diagnosis'], 'healthy' | 'checks' | 'advice'>) {
  const isWarned = checks.some(({ warning }) => warning)
  const [first, ...others] = advice
  return (
    <Alert
      color={healthy ? (isWarned ? 'yellow' : 'green') : 'red'}
      role="status"
      variant="light"
      lang="en"
      className="breakable"
      title={first}
    >
      {others.length > 0 && (
        <List size="sm">
          {others.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  )
}
