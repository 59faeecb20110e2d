import { Anchor, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { CodeBlock } from '../parts/code-block.tsx'
import { jobCodeTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import { CODES, type Code, codeOf, shortRequest } from './job-code.ts'

type JobCodeProps = {
  /** The body that creates it. */
  request: object
  /** How many proxies of its own the job has; they are never shown. */
  proxies: number
  /** The form with these settings; absent within the form. */
  form?: string
}

/** A job for programs: as JSON, a command or a program. */
export function JobCode({ request, proxies, form }: JobCodeProps) {
  const t = useTexts(jobCodeTexts)
  const [code, setCode] = useState<Code>('curl')
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        className="scrollable"
        aria-label={t.format}
        value={code}
        onChange={(value) => setCode(CODES.find((one) => one === value) ?? 'curl')}
        data={CODES.map((value) => ({ value, label: t.formats[value] }))}
      />
      <CodeBlock label={t.formats[code]}>{codeOf(code, shortRequest(request, proxies), location.origin)}</CodeBlock>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {t.keyHint}
        </Text>
        <Anchor component={Link} href="/keys" size="xs">
          {t.keys}
        </Anchor>
        {form !== undefined && (
          <Anchor component={Link} href={form} size="xs">
            {t.form}
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}
