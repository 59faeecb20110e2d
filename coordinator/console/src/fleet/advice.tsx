import { Alert, List } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { useFindings } from '../texts/findings.ts'

type Diagnosis = Pick<Schemas['Diagnosis'], 'healthy' | 'checks' | 'advice' | 'reasons'>

/** The doctor's advice: green only when no check fails or warns. */
export function Advice({ healthy, checks, advice, reasons }: Diagnosis) {
  const inWords = useFindings()
  const isWarned = checks.some(({ warning }) => warning)
  const [first, ...others] = inWords(reasons) ?? advice
  return (
    <Alert
      color={healthy ? (isWarned ? 'yellow' : 'green') : 'red'}
      role="status"
      variant="light"
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
