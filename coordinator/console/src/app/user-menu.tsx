import { Button, Divider, Popover, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SESSION_KEY } from '../api/queries.ts'
import { type Session, signOut } from '../session/session.ts'
import { useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'
import { Icon } from './icon.tsx'
import { Preferences } from './preferences.tsx'

/** The menu with the account, the colour scheme, the language and sign-out. */
export function UserMenu({ session }: { session: Session }) {
  const t = useTexts(shellTexts)
  const queries = useQueryClient()
  const leaving = useMutation({
    mutationFn: signOut,
    onSettled: (providerUrl) => {
      queries.setQueryData(SESSION_KEY, null)
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
      if (providerUrl) location.assign(providerUrl)
    },
  })
  return (
    <Popover position="bottom-end" width={280} trapFocus shadow="md">
      <Popover.Target>
        <Button variant="subtle" color="gray" size="sm" className="user-button">
          <Icon name="account" />
          <VisuallyHidden>{t.userMenu}</VisuallyHidden>
          <Text span size="sm" visibleFrom="xs" ml={8} className="one-line" maw={220}>
            {session.user.email}
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.userMenu}>
        <Stack gap="xs">
          <Text size="sm" className="breakable">
            {t.signedInAs(session.user.email)}
          </Text>
          <Preferences />
          <Divider />
          <Button component="a" href="/docs" variant="default" size="xs">
            {t.documents}
          </Button>
          <Button variant="default" size="xs" onClick={() => leaving.mutate()} loading={leaving.isPending}>
            {t.signOut}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
