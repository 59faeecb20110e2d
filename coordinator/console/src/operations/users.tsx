import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { Empty, Failure, WithData } from '../parts/data-states.tsx'
import { Pager } from '../parts/data-table.tsx'
import { useFaults } from '../parts/faults.tsx'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { USERS_KEY, usersQuery } from './operation-queries.ts'
import { UsersTable } from './users-table.tsx'

const LIMIT = 25
const SEARCH_AFTER_MS = 400

/** All users: search them, grant credits, change roles, create sign-in links. */
export function Users() {
  const t = useTexts(operationsTexts)
  const { params, set } = useFilters()
  const search = params.get('search') ?? ''
  const page = pageIn(params)
  const [text, setText] = useState(search)
  const apply = useDebouncedCallback((typed: string) => set({ search: typed, page: undefined }, true), SEARCH_AFTER_MS)
  const users = useQuery(usersQuery({ search, page, limit: LIMIT }))
  return (
    <Stack gap="md">
      <Group align="flex-start" gap="sm">
        <TextInput
          className="grows"
          type="search"
          label={t.search}
          value={text}
          maxLength={200}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            apply(value)
          }}
        />
        <CreateUser />
      </Group>
      <WithData query={users}>
        {(list) =>
          list.total === 0 ? (
            <Empty title={t.noUsers} hint={t.noUsersHint} />
          ) : (
            <>
              <UsersTable users={list.users} />
              <Pager page={page} limit={LIMIT} total={list.total} onChange={(to) => set({ page: String(to) })} />
            </>
          )
        }
      </WithData>
    </Stack>
  )
}

const USER_FIELDS = { email: ['email'] } as const

function CreateUser() {
  const t = useTexts(operationsTexts)
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const create = useMutation({
    mutationFn: (body: { email: string }) => unwrap(api.POST('/api/v1/admin/users', { body })),
    onSuccess: () => {
      setEmail('')
      return queries.invalidateQueries({ queryKey: USERS_KEY })
    },
  })
  const faults = useFaults(create, { email }, USER_FIELDS, { email: t.emailFault })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ email })
  }
  return (
    <form ref={faults.form} onSubmit={submit} noValidate className="grows">
      <Group align="flex-end" gap="sm">
        <TextInput
          className="grows"
          type="email"
          label={t.email}
          value={email}
          error={faults.of('email')}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        <Button type="submit" loading={create.isPending}>
          {t.createUser}
        </Button>
      </Group>
      <Failure error={create.error} fields={faults.fields} />
    </form>
  )
}
