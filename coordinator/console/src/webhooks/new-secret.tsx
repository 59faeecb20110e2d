import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../parts/code-block.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'

/** Shows a new signing secret, which is visible only once. Only the button closes the dialog. */
export function NewSecret({ secret, onClose }: { secret: string | undefined; onClose(): void }) {
  const t = useTexts(webhooksTexts)
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{t.secretTitle}</Text>}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          {t.secretHint}
        </Alert>
        <CodeBlock label={t.secret}>{secret ?? ''}</CodeBlock>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
