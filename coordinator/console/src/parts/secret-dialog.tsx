import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type SecretDialogProps = {
  opened: boolean
  title: string
  /** Says that the secret is shown only once. */
  hint: string
  /** The text of the button that closes the dialog: "I have copied it". */
  done: string
  onClose(): void
  /** The secret, and what to do with it. */
  children: ReactNode
}

/** Shows a secret that is visible only once. Only the button closes the dialog. */
export function SecretDialog({ opened, title, hint, done, onClose, children }: SecretDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{title}</Text>}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          {hint}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
