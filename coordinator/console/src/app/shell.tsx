import { Alert, Anchor, AppShell, Burger, Group, NavLink, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { isRefusal } from '../api/errors.ts'
import { useStaleness } from '../api/staleness.ts'
import iconUrl from '../icon.svg'
import { clockTime } from '../parts/formats.ts'
import { ShownBefore } from '../parts/page.tsx'
import type { Session } from '../session/session.ts'
import { forgetLinkToken, useLinkToken } from '../sign-in/sign-in-api.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'
import { signInTexts } from '../texts/sign-in.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Icon, type IconName } from './icon.tsx'
import { UserMenu } from './user-menu.tsx'

/**
 * Leaves a sign-in link unused while somebody is signed in with this address, and says so. Otherwise a page of a
 * stranger could switch the user to the account of the stranger.
 */
function useUnusedLink(email: string | undefined): void {
  const t = useTexts(signInTexts)
  const token = useLinkToken()
  useEffect(() => {
    if (token === undefined || email === undefined) return
    forgetLinkToken()
    notifications.show({ title: t.linkUnused(email), message: t.linkUnusedHint, autoClose: 15_000 })
  }, [token, email, t])
}

/** Says since when the page shows old data, and why. */
function StaleNotice() {
  const t = useTexts(shellTexts)
  const { language } = useLanguage()
  const staleness = useStaleness()
  return (
    <div role="status" className="stale-notice">
      {staleness && (
        <Alert color="orange" variant="light" title={t.notUpToDate(clockTime(staleness.since, language))} mb="md">
          {isRefusal(staleness.error) ? staleness.error.message : t.noAnswer} {t.triesAgain}
        </Alert>
      )}
    </div>
  )
}

const FOR_ALL = [
  ['/jobs', 'jobs'],
  ['/jobs/new', 'newJob'],
  ['/monitors', 'monitors'],
  ['/known-places', 'knownPlaces'],
  ['/keys', 'keys'],
  ['/credits', 'credits'],
  ['/webhooks', 'webhooks'],
  ['/account', 'account'],
  ['/support', 'support'],
] as const satisfies [string, IconName][]

const FOR_OPERATORS = [
  ['/fleet', 'fleet'],
  ['/operations', 'operations'],
] as const satisfies [string, IconName][]

type ShellProps = {
  session: Session
  /** Whether the session has ended, and the user is asked to sign in again. */
  isSignedOut: boolean
  children: ReactNode
}

/** The frame of every page: name, navigation, user menu, and a notice when the page is not up to date. */
export function Shell({ session, isSignedOut, children }: ShellProps) {
  const t = useTexts(shellTexts)
  const [opened, { toggle, close }] = useDisclosure()
  const [location] = useLocation()
  const shownBefore = useRef(false)
  const isOperator = session.user.role === 'operator' // who reads the letters to the operators
  useUnusedLink(isSignedOut ? undefined : session.user.email)
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a small screen each new page closes the navigation
  useEffect(close, [location])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#content" className="skip-link">
        {t.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t.openNavigation} />
            <Brand />
          </Group>
          <UserMenu session={session} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label={t.mainNavigation}>
        <ScrollArea>
          {FOR_ALL.filter(([path]) => path !== '/support' || !isOperator).map(([path, name]) => (
            <NavigationLink key={path} path={path} icon={name} label={t[name]} />
          ))}
          {isOperator && (
            <>
              <Text size="xs" c="dimmed" fw={600} px="sm" pt="md" pb={4}>
                {t.operators}
              </Text>
              {FOR_OPERATORS.map(([path, name]) => (
                <NavigationLink key={path} path={path} icon={name} label={t[name]} />
              ))}
            </>
          )}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className="canvas">
        <StaleNotice />
        <ShownBefore value={shownBefore}>
          <ErrorBoundary key={location}>{children}</ErrorBoundary>
        </ShownBefore>
      </AppShell.Main>
    </AppShell>
  )
}

function Brand() {
  return (
    <Anchor component={Link} href="/jobs" underline="never" className="brand">
      <img src={iconUrl} alt="" width={28} height={28} />
      <Text span fw={700} size="lg" c="var(--mantine-color-text)">
        Placefleet
      </Text>
    </Anchor>
  )
}

function NavigationLink({ path, icon, label }: { path: string; icon: IconName; label: string }) {
  const [location] = useLocation()
  const here = location === path || (path !== '/jobs' && location.startsWith(`${path}/`))
  const within = path === '/jobs' && location.startsWith('/jobs/') && location !== '/jobs/new'
  return (
    <NavLink
      component={Link}
      href={path}
      label={label}
      active={here || within}
      leftSection={<Icon name={icon} />}
      aria-current={here ? 'page' : undefined}
      variant="light"
      className="navigation-link"
    />
  )
}
