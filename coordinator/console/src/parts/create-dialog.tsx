import { Button, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

type CreateDialogProps = {
  /** The text of the button, and the title of the dialog. */
  label: string
  variant?: 'filled' | 'default'
  /** The form. It closes the dialog when it is done. */
  children(close: () => void): ReactNode
}

/** A button that opens a form, so that what exists stands first on the page. */
export function CreateDialog({ label, variant = 'filled', children }: CreateDialogProps) {
  const t = useTexts(commonTexts)
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant={variant} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        size="lg"
        title={<Text fw={650}>{label}</Text>}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        {children(close)}
      </Modal>
    </>
  )
}
