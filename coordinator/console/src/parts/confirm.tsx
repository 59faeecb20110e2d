import { Button, Group, Modal, Stack, Text } from '@mantine/core'

type ConfirmProps = {
  opened: boolean
  title: string
  hint: string
  /** The text of the confirm button. */
  action: string
  /** The text of the other button. */
  cancelLabel: string
  pending?: boolean
  onConfirm(): void
  onClose(): void
}

/** Asks for confirmation of an action that cannot be undone. */
export function Confirm({
  opened,
  title,
  hint,
  action,
  cancelLabel,
  pending = false,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{title}</Text>} withCloseButton={false}>
      <Stack>
        <Text size="sm">{hint}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {cancelLabel}
          </Button>
          <Button color="red" onClick={onConfirm} loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
