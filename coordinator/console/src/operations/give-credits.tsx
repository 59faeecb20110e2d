import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answered, api, detailOf, type Schemas } from '../api/client.ts'
import { Failure } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.tsx'
import { operationsTexts } from '../texts/operations.ts'

/** Grants credits to a user once, even when the form is submitted twice. */
export function GiveCredits({ user, onClose }: { user: Schemas['User'] | undefined; onClose(): void }) {
  const t = useTexts(operationsTexts)
  return (
    <Modal
      opened={user !== undefined}
      onClose={onClose}
      title={<Text fw={650}>{t.grantTitle(user?.email ?? '')}</Text>}
    >
      {user && <GrantForm user={user} onDone={onClose} />}
    </Modal>
  )
}

function GrantForm({ user, onDone }: { user: Schemas['User']; onDone(): void }) {
  const t = useTexts(operationsTexts)
  const [fields, setFields] = useState({ amount: '', reason: '' })
  const [reference] = useState(() => `console ${crypto.randomUUID()}`)
  const give = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/admin/grants', { body: { user: user.id, reference, ...fields } })),
    onSuccess: () => {
      notifications.show({ message: t.given })
      onDone()
    },
  })
  const detail = (field: string) => detailOf(give.error, field)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t.amount}
          inputMode="decimal"
          value={fields.amount}
          error={detail('amount')}
          onChange={({ currentTarget: { value } }) => setFields({ ...fields, amount: value })}
        />
        <TextInput
          label={t.why}
          value={fields.reason}
          maxLength={500}
          error={detail('reason')}
          onChange={({ currentTarget: { value } }) => setFields({ ...fields, reason: value })}
        />
        <Failure error={give.error} fields={['amount', 'reason']} />
        <Group justify="flex-end">
          <Button type="submit" loading={give.isPending}>
            {t.give}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
