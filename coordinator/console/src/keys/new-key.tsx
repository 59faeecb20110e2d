import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.ts'

/** Shows a new key, which is visible only once, and the next step. Only the button closes the dialog. */
export function NewKey({ made, onClose }: { made: Schemas['NewApiKey'] | undefined; onClose(): void }) {
  const t = useTexts(keysTexts)
  const command = `curl ${location.origin}/api/v1/credits/balance -H "Authorization: Bearer ${made?.key}"`
  return (
    <Modal
      opened={made !== undefined}
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{t.made}</Text>}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          {t.madeHint}
        </Alert>
        <Labelled label={t.theKey} text={made?.key ?? ''} />
        <Labelled label={t.asEnvironment} text={`PLACEFLEET_API_KEY=${made?.key}`} />
        <Labelled label={t.tryIt} text={command} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.done}</Button>
        </Group>
      </Stack>
    </Modal>
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
