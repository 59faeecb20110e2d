import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.ts'
import { KEYS_KEY } from './key-queries.ts'
import { LIMIT_FIELDS, LimitFields, limitsOf } from './limit-fields.tsx'

const FIELDS = { name: ['name'], ...LIMIT_FIELDS } as const

const EMPTY = { name: '', day: '', month: '' }

/** The form that creates a key with a name and, if wanted, spending limits. */
export function CreateKey({ onMade }: { onMade(key: Schemas['NewApiKey']): void }) {
  const t = useTexts(keysTexts)
  const queries = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  const create = useMutation({
    mutationFn: (sent: typeof EMPTY) =>
      unwrap(api.POST('/api/v1/api-keys', { body: { name: sent.name, limits: limitsOf(sent) } })),
    onSuccess: (key) => {
      setDraft(EMPTY)
      onMade(key)
      return queries.invalidateQueries({ queryKey: KEYS_KEY })
    },
  })
  const faults = useFaults(create, draft, FIELDS, t.faults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(draft)
  }
  return (
    <form ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t.newName}
          data-autofocus
          withAsterisk
          placeholder={t.newNameHint}
          maxLength={100}
          value={draft.name}
          error={faults.of('name')}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
        />
        <LimitFields draft={draft} errorOf={faults.of} onChange={(limits) => setDraft({ ...draft, ...limits })} />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
