import { Button, Divider, Popover, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { deletions } from '../jobs/deletions.ts'
import { Failure } from '../parts/data-states.tsx'
import { Preferences } from '../parts/preferences.tsx'
import { type Session, signOut } from '../session/session.ts'
import { useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'
import { Icon } from './icon.tsx'

/** The menu with the account, the colour scheme, the language and sign-out. */
export function UserMenu({ session }: { session: Session }) {
  const t = useTexts(shellTexts)
  const leaving = useMutation({
    mutationFn: async () => {
      await deletions.sendAll() // nobody may send them afterwards
      return signOut()
    },
    // A new page keeps nothing of the user in its memory.
    onSuccess: (providerUrl) => location.assign(providerUrl ?? '/console/'),
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
          <Failure error={leaving.error} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
