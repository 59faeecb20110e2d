import { Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Figure, Page } from '../parts/page.tsx'
import { Preferences } from '../parts/preferences.tsx'
import { FullTime, Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { type Session, sessionQuery } from '../session/session.ts'
import { accountTexts } from '../texts/account.ts'
import { useLanguage, useTexts } from '../texts/language.ts'

/** All sessions of the user. */
const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => unwrap(api.GET('/auth/sessions')),
})

/** Browsers in the order of detection, because most browsers also name others. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** Returns the usual names of a browser and its system, e.g. "Firefox, Linux"; undefined when both are unknown. */
function browserName(userAgent = ''): string | undefined {
  const nameIn = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined).join(', ') || undefined
}

/** The account of the user, and the browsers in which they are signed in. */
export default function AccountPage() {
  const t = useTexts(accountTexts)
  const session = useQuery(sessionQuery)
  const sessions = useQuery(sessionsQuery)
  return (
    <Page title={t.title}>
      {session.data && <WhoAmI session={session.data} />}
      <Stack gap="xs">
        <Title order={2} size="h4">
          {t.sessions}
        </Title>
        <Text size="sm" c="dimmed">
          {t.sessionsHint}
        </Text>
        <WithData query={sessions}>{(all) => <Sessions sessions={all} />}</WithData>
      </Stack>
      <Paper withBorder p="lg" maw={420}>
        <Stack gap="xs">
          <Title order={2} size="h4">
            {t.preferences}
          </Title>
          <Preferences />
        </Stack>
      </Paper>
    </Page>
  )
}

function WhoAmI({ session: { user, expires_at, limits } }: { session: Session }) {
  const t = useTexts(accountTexts)
  const { language } = useLanguage()
  const number = (value: number) => value.toLocaleString(language)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      <Figure label={t.email} value={<Small>{user.email}</Small>} />
      <Figure label={t.role} value={<Small>{t.roles[user.role]}</Small>} />
      <Figure
        label={t.ends}
        value={
          <Small>
            <FullTime at={expires_at} />
          </Small>
        }
      />
      <Figure label={t.activeJobs} value={<Small>{number(limits.active_jobs)}</Small>} />
      <Figure
        label={t.requests}
        value={<Small>{t.requestRate(number(limits.requests_per_second), number(limits.burst))}</Small>}
      />
      <Figure
        label={t.keyRequests}
        value={<Small>{t.requestRate(number(limits.key_requests_per_second), number(limits.key_burst))}</Small>}
      />
    </SimpleGrid>
  )
}

function Small({ children }: { children: React.ReactNode }) {
  return (
    <Text size="sm" fw={600} component="div" className="breakable">
      {children}
    </Text>
  )
}

function Sessions({ sessions }: { sessions: Schemas['Session'][] }) {
  const t = useTexts(accountTexts)
  const end = useAction(
    (id: string) => unwrap(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })),
    sessionsQuery.queryKey,
  )
  const endOthers = useAction(() => unwrap(api.DELETE('/auth/sessions')), sessionsQuery.queryKey)
  const nameOf = (session: Schemas['Session']) => browserName(session.user_agent) ?? t.unknown
  const columns: Column<Schemas['Session']>[] = [
    {
      title: t.browser,
      cell: (session) => (
        <Group gap="xs">
          {nameOf(session)}
          {session.current && (
            <Badge variant="light" tt="none" radius="sm" className="state">
              {t.here}
            </Badge>
          )}
        </Group>
      ),
    },
    { title: t.by, from: 'sm', cell: (session) => t.bys[session.signed_in_by] },
    { title: t.used, cell: (session) => <Time at={session.last_used_at} /> },
    {
      title: t.actions,
      actions: true,
      cell: (session) =>
        !session.current && (
          <Button
            size="xs"
            variant="default"
            aria-label={t.endOf(nameOf(session))}
            onClick={() => end.mutate(session.id)}
          >
            {t.end}
          </Button>
        ),
    },
  ]
  return (
    <Stack gap="sm" align="flex-start">
      <DataTable label={t.sessions} rows={sessions} columns={columns} keyOf={({ id }) => id} />
      {sessions.length > 1 && (
        <Button variant="default" onClick={() => endOthers.mutate(undefined)} loading={endOthers.isPending}>
          {t.endOthers}
        </Button>
      )}
    </Stack>
  )
}
