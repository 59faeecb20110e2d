import { Stack, Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.ts'

/** Shows a new key, which is visible only once, and the next step. */
export function NewKey({ made, onClose }: { made: Schemas['NewApiKey'] | undefined; onClose(): void }) {
  const t = useTexts(keysTexts)
  const command = `curl ${location.origin}/api/v1/credits/balance -H "Authorization: Bearer ${made?.key}"`
  return (
    <SecretDialog opened={made !== undefined} title={t.made} hint={t.madeHint} done={t.done} onClose={onClose}>
      <Labelled label={t.theKey} text={made?.key ?? ''} />
      <Labelled label={t.asEnvironment} text={`PLACEFLEET_API_KEY=${made?.key}`} />
      <Labelled label={t.tryIt} text={command} />
    </SecretDialog>
  )
}

function Labelled({ label, text }: { label: string; text: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <CodeBlock label={label}>{text}</CodeBlock>
    </Stack>
  )
}
