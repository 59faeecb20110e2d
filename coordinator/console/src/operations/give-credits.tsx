import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { CREDITS_KEY } from '../credits/credit-queries.ts'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'

type Receiver = Pick<Schemas['User'], 'id' | 'email'>

const EMPTY = { amount: '', reason: '' }

const FIELDS = { amount: ['amount'], reason: ['reason'] } as const

/** Grants credits to a user once, even when the form is submitted twice. */
export function GiveCredits({ user, onClose }: { user: Receiver | undefined; onClose(): void }) {
  const t = useTexts(operationsTexts)
  return (
    <Modal
      opened={user !== undefined}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t.close }}
      title={<Text fw={650}>{t.grantTitle(user?.email ?? '')}</Text>}
    >
      {user && <GrantForm user={user} onDone={onClose} />}
    </Modal>
  )
}

function GrantForm({ user, onDone }: { user: Receiver; onDone(): void }) {
  const t = useTexts(operationsTexts)
  const queries = useQueryClient()
  const [fields, setFields] = useState(EMPTY)
  const [reference] = useState(() => `console ${crypto.randomUUID()}`)
  const give = useMutation({
    mutationFn: (sent: typeof EMPTY) =>
      unwrap(api.POST('/api/v1/admin/grants', { body: { user: user.id, reference, ...sent } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: CREDITS_KEY })
      notifications.show({ message: t.given })
      onDone()
    },
  })
  const faults = useFaults(give, fields, FIELDS, t.grantFaults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give.mutate(fields)
  }
  return (
    <form ref={faults.form} onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t.amount}
          withAsterisk
          data-autofocus
          inputMode="decimal"
          value={fields.amount}
          error={faults.of('amount')}
          onChange={({ currentTarget: { value } }) => setFields({ ...fields, amount: value })}
        />
        <TextInput
          label={t.why}
          withAsterisk
          value={fields.reason}
          maxLength={500}
          error={faults.of('reason')}
          onChange={({ currentTarget: { value } }) => setFields({ ...fields, reason: value })}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button type="submit" loading={give.isPending}>
            {t.give}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
