import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { answered, api, detailOf, type Schemas } from '../api/client.ts'
import { Failure } from '../parts/data-states.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.tsx'
import { KEYS_KEY } from './key-queries.ts'
import { LimitFields, limitsOf } from './limit-fields.tsx'

const EMPTY = { name: '', day: '', month: '' }

/** The form that creates a key with a name and, if wanted, spending limits. */
export function CreateKey({ onMade }: { onMade(key: Schemas['NewApiKey']): void }) {
  const t = useTexts(keysTexts)
  const queries = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  const create = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/api-keys', { body: { name: draft.name, limits: limitsOf(draft) } })),
    onSuccess: (key) => {
      setDraft(EMPTY)
      onMade(key)
      return queries.invalidateQueries({ queryKey: KEYS_KEY })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t.newName}
          placeholder={t.newNameHint}
          maxLength={100}
          value={draft.name}
          error={detailOf(create.error, 'name')}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
        />
        <LimitFields draft={draft} error={create.error} onChange={(limits) => setDraft({ ...draft, ...limits })} />
        <Failure error={create.error} fields={['name', 'limits.day', 'limits.month']} />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
