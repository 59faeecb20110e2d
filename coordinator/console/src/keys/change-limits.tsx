import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.ts'
import { type Key, useChangeLimits } from './key-queries.ts'
import { LIMIT_FIELDS, LimitFields } from './limit-fields.tsx'

/** A button that opens a dialog, where the spending limits of a key are changed. */
export function ChangeLimits({ apiKey: { id, name, limits } }: { apiKey: Key }) {
  const t = useTexts(keysTexts)
  const [opened, setOpened] = useState(false)
  const [draft, setDraft] = useState({ day: '', month: '' })
  const change = useChangeLimits(id)
  const faults = useFaults(change, draft, LIMIT_FIELDS, t.faults)
  const close = () => setOpened(false)
  const open = () => {
    setDraft({ day: limits?.day ?? '', month: limits?.month ?? '' })
    change.reset()
    setOpened(true)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(draft, { onSuccess: close })
  }
  return (
    <>
      <Button
        variant="subtle"
        size="compact-xs"
        px={0}
        display="block"
        onClick={open}
        aria-label={t.changeLimitsOf(name)}
      >
        {t.changeLimits}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={<Text fw={650}>{t.changeLimitsOf(name)}</Text>}
        withCloseButton={false}
      >
        <form ref={faults.form} onSubmit={submit} noValidate>
          <Stack>
            <LimitFields draft={draft} errorOf={faults.of} onChange={setDraft} />
            <FormFailure faults={faults} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t.close}
              </Button>
              <Button type="submit" loading={change.isPending}>
                {t.saveLimits}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
