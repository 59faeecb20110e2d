import { ActionIcon, Badge, Menu, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { accountTexts } from '../texts/account.ts'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { GiveCredits } from './give-credits.tsx'
import { USERS_KEY } from './operation-queries.ts'

export type User = Schemas['User']

/** A table of users, with an operator's actions. */
export function UsersTable({ users }: { users: User[] }) {
  const t = useTexts(operationsTexts)
  const { roles } = useTexts(accountTexts)
  const [granting, setGranting] = useState<User>()
  const [link, setLink] = useState<string>()
  const columns: Column<User>[] = [
    {
      title: t.user,
      breakable: true,
      cell: ({ email, paid }) => (
        <>
          {email}{' '}
          {paid && (
            <Badge variant="default" tt="none" radius="sm">
              {t.paid}
            </Badge>
          )}
        </>
      ),
    },
    { title: t.role, cell: ({ role }) => roles[role] },
    { title: t.created, from: 'sm', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: t.actions,
      actions: true,
      cell: (user) => <UserActions user={user} onGrant={() => setGranting(user)} onLink={setLink} />,
    },
  ]
  return (
    <>
      <DataTable label={t.tabs.users} rows={users} columns={columns} keyOf={({ id }) => id} />
      <GiveCredits user={granting} onClose={() => setGranting(undefined)} />
      <Modal
        opened={link !== undefined}
        onClose={() => setLink(undefined)}
        title={<Text fw={650}>{t.linkTitle}</Text>}
        closeButtonProps={{ 'aria-label': t.close }}
      >
        <Stack>
          <Text size="sm">{t.linkHint}</Text>
          <CodeBlock label={t.linkTitle}>{link ?? ''}</CodeBlock>
        </Stack>
      </Modal>
    </>
  )
}

function UserActions({ user, onGrant, onLink }: { user: User; onGrant(): void; onLink(url: string): void }) {
  const t = useTexts(operationsTexts)
  const [asked, setAsked] = useState<'role' | 'sign-out'>()
  const close = () => setAsked(undefined)
  const path = { params: { path: { id: user.id } } }
  const other = user.role === 'operator' ? 'user' : 'operator'
  const setRole = useAction(
    () => unwrap(api.PATCH('/api/v1/admin/users/{id}', { ...path, body: { role: other } })),
    USERS_KEY,
  )
  const signOut = useAction(() => unwrap(api.DELETE('/api/v1/admin/users/{id}/sessions', path)), USERS_KEY)
  const makeLink = useAction(() => unwrap(api.POST('/api/v1/admin/users/{id}/sign-in-link', path)), USERS_KEY)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(user.email)}>
            <span aria-hidden="true">⋯</span>
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onGrant}>{t.grant}</Menu.Item>
          <Menu.Item onClick={() => makeLink.mutate(undefined, { onSuccess: ({ url }) => onLink(url) })}>
            {t.link}
          </Menu.Item>
          <Menu.Item onClick={() => setAsked('role')}>{other === 'operator' ? t.makeOperator : t.makeUser}</Menu.Item>
          <Menu.Item color="red" onClick={() => setAsked('sign-out')}>
            {t.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asked === 'role'}
        title={(other === 'operator' ? t.operatorSure : t.userSure)(user.email)}
        hint={other === 'operator' ? t.operatorHint : t.userHint}
        action={other === 'operator' ? t.makeOperator : t.makeUser}
        cancelLabel={t.keep}
        pending={setRole.isPending}
        onClose={close}
        onConfirm={() => setRole.mutate(undefined, { onSettled: close })}
      />
      <Confirm
        opened={asked === 'sign-out'}
        title={t.signOutSure(user.email)}
        hint={t.signOutHint}
        action={t.signOut}
        cancelLabel={t.keep}
        pending={signOut.isPending}
        onClose={close}
        onConfirm={() => signOut.mutate(undefined, { onSettled: close })}
      />
    </>
  )
}
