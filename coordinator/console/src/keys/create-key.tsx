import { Button, Group, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, answered, api, type Schemas } from '../api/client.ts'
import { Failure } from '../parts/data-states.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.tsx'
import { KEYS_KEY } from './keys-table.tsx'

const EMPTY = { name: '', day: '', month: '' }

/** The fields of the form, each with the field of the API request that it fills. */
const FIELDS = { name: 'name', day: 'limits.day', month: 'limits.month' } as const

/** The form that creates a key with a name and, if wanted, spending limits. */
export function CreateKey({ onMade }: { onMade(key: Schemas['NewApiKey']): void }) {
  const t = useTexts(keysTexts)
  const queries = useQueryClient()
  const [fields, setFields] = useState(EMPTY)
  const create = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/api-keys', { body: requestOf(fields) })),
    onSuccess: (key) => {
      setFields(EMPTY)
      onMade(key)
      return queries.invalidateQueries({ queryKey: KEYS_KEY })
    },
  })
  const detail = (field: keyof typeof FIELDS) =>
    create.error instanceof ApiFailure ? create.error.detailOf(FIELDS[field]) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const input = (field: keyof typeof FIELDS) => ({
    value: fields[field],
    error: detail(field),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFields({ ...fields, [field]: value }),
  })
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput label={t.newName} placeholder={t.newNameHint} maxLength={100} {...input('name')} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label={t.day} description={t.dayHint} inputMode="decimal" {...input('day')} />
          <TextInput label={t.month} description={t.monthHint} inputMode="decimal" {...input('month')} />
        </SimpleGrid>
        {!detail('name') && !detail('day') && !detail('month') && <Failure error={create.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

/** Returns the body that creates the key. An empty limit means none. */
function requestOf({ name, day, month }: typeof EMPTY): Schemas['CreateApiKeyRequest'] {
  return { name, limits: { ...(day === '' ? {} : { day }), ...(month === '' ? {} : { month }) } }
}
