import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Confirm } from '../parts/confirm.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { type Monitor, useDeleteMonitor, usePause, useRunNow } from './monitor-queries.ts'

/** The actions of a monitor: run it now, pause or resume it, delete it. */
export function MonitorActions({ monitor: { id, name, paused } }: { monitor: Monitor }) {
  const t = useTexts(monitorsTexts)
  const [asked, setAsked] = useState<'pause' | 'delete'>()
  const pause = usePause(id)
  const runNow = useRunNow(id)
  const remove = useDeleteMonitor(id)
  const close = () => setAsked(undefined)
  return (
    <>
      <Button onClick={() => runNow.mutate(undefined)} loading={runNow.isPending}>
        {t.runNow}
      </Button>
      {paused ? (
        <Button variant="default" onClick={() => pause.mutate({ paused: false })} loading={pause.isPending}>
          {t.resume}
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsked('pause')}>
          {t.pause}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsked('delete')}>
        {t.remove}
      </Button>
      <PauseDialog
        opened={asked === 'pause'}
        pending={pause.isPending}
        onClose={close}
        onPause={(reason) =>
          pause.mutate({ paused: true, ...(reason && { pause_reason: reason }) }, { onSettled: close })
        }
      />
      <Confirm
        opened={asked === 'delete'}
        title={t.sure(name)}
        hint={t.sureHint}
        action={t.remove}
        cancelLabel={t.keep}
        pending={remove.isPending}
        onClose={close}
        onConfirm={() => remove.mutate(undefined, { onError: close })}
      />
    </>
  )
}

type PauseDialogProps = { opened: boolean; pending: boolean; onPause(reason: string): void; onClose(): void }

/** Asks why the monitor pauses. The reason may be left out. */
function PauseDialog({ opened, pending, onPause, onClose }: PauseDialogProps) {
  const t = useTexts(monitorsTexts)
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onPause(reason.trim())
  }
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t.pauseTitle}</Text>} withCloseButton={false}>
      <Stack component="form" onSubmit={submit}>
        <TextInput
          label={t.pauseReason}
          description={t.pauseHint}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.keepRunning}
          </Button>
          <Button type="submit" loading={pending}>
            {t.pause}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
