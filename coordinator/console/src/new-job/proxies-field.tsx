import { Textarea } from '@mantine/core'
import { useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'

type ProxiesFieldProps = {
  description: string
  value: string
  error: string | undefined
  onChange(proxies: string): void
}

/** The proxies of a job. They may hold passwords, so the browser neither completes nor checks the text. */
export function ProxiesField({ description, value, error, onChange }: ProxiesFieldProps) {
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
