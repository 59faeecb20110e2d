import { Alert, Button, Group, NativeSelect, Paper, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { type Faults, FormFailure, useFaults } from '../parts/faults.tsx'
import { Page } from '../parts/page.tsx'
import { useTexts } from '../texts/language.ts'
import { supportTexts } from '../texts/support.ts'

type Category = Schemas['CreateSupportRequest']['category']
const CATEGORIES: Category[] = ['bug', 'feature', 'billing', 'account', 'other']
const FIELDS = { subject: ['subject'], message: ['message'] } as const
const EMPTY = { category: 'bug' as Category, subject: '', message: '' }

/** A message to the operators of the deployment. */
export default function SupportPage() {
  const t = useTexts(supportTexts)
  const [fields, setFields] = useState(EMPTY)
  const send = useMutation({
    mutationFn: ({ subject, ...rest }: typeof EMPTY) =>
      unwrap(api.POST('/api/v1/support', { body: subject === '' ? rest : { ...rest, subject } })),
    onSuccess: () => setFields(EMPTY),
  })
  const faults = useFaults(send, fields, FIELDS, t.faults)
  return (
    <Page title={t.title} lead={t.lead}>
      {send.isSuccess ? (
        <Alert color="green" role="status">
          <Group justify="space-between">
            {t.sent}
            <Button size="xs" variant="default" onClick={() => send.reset()}>
              {t.another}
            </Button>
          </Group>
        </Alert>
      ) : (
        <SupportForm
          fields={fields}
          onChange={setFields}
          faults={faults}
          pending={send.isPending}
          onSend={() => send.mutate(fields)}
        />
      )}
    </Page>
  )
}

type Fields = typeof EMPTY
type SupportFormProps = {
  fields: Fields
  onChange(fields: Fields): void
  faults: Faults
  pending: boolean
  onSend(): void
}

function SupportForm({ fields, onChange, faults, pending, onSend }: SupportFormProps) {
  const t = useTexts(supportTexts)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSend()
  }
  return (
    <Paper withBorder p="lg" maw={720} component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="md">
        <NativeSelect
          label={t.category}
          value={fields.category}
          data={CATEGORIES.map((value) => ({ value, label: t.categories[value] }))}
          onChange={({ currentTarget: { value } }) => onChange({ ...fields, category: value as Category })}
        />
        <TextInput
          label={t.subject}
          maxLength={200}
          value={fields.subject}
          error={faults.of('subject')}
          onChange={({ currentTarget: { value } }) => onChange({ ...fields, subject: value })}
        />
        <Textarea
          label={t.message}
          withAsterisk
          description={t.messageHint}
          rows={8}
          maxLength={5_000}
          value={fields.message}
          error={faults.of('message')}
          onChange={({ currentTarget: { value } }) => onChange({ ...fields, message: value })}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button type="submit" loading={pending}>
            {t.send}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
