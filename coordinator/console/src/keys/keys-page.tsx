import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, answered, api, type Schemas } from '../api/client.ts'
import { Empty, Failure, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.tsx'
import { KEYS_KEY, KeysTable } from './keys-table.tsx'
import { NewKey } from './new-key.tsx'

/** One's API keys: make one, see their use, revoke one. */
export default function KeysPage() {
  const t = useTexts(keysTexts)
  const keys = useQuery({ queryKey: KEYS_KEY, queryFn: () => answered(api.GET('/api/v1/api-keys')) })
  const [made, setMade] = useState<Schemas['NewApiKey']>()
  return (
    <Page title={t.title} lead={t.lead}>
      <CreateKey onMade={setMade} />
      <WithData query={keys}>
        {(all) => (all.length === 0 ? <Empty title={t.none} hint={t.noneHint} /> : <KeysTable keys={all} />)}
      </WithData>
      <NewKey made={made} onClose={() => setMade(undefined)} />
    </Page>
  )
}

function CreateKey({ onMade }: { onMade(key: Schemas['NewApiKey']): void }) {
  const t = useTexts(keysTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/api-keys', { body: { name } })),
    onSuccess: (key) => {
      setName('')
      onMade(key)
      return queries.invalidateQueries({ queryKey: KEYS_KEY })
    },
  })
  const detail = create.error instanceof ApiFailure ? create.error.detailOf('name') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            className="grows"
            label={t.newName}
            placeholder={t.newNameHint}
            maxLength={100}
            value={name}
            error={detail}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
        {detail === undefined && <Failure error={create.error} />}
      </Stack>
    </Paper>
  )
}
