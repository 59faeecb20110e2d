import { Alert, Anchor, Button, Center, Loader, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { isGone, isRefusal, messageBeside, messageOf } from '../api/errors.ts'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** The loading state of a page. */
export function Loading() {
  const t = useTexts(commonTexts)
  return (
    <Center mih={160} role="status">
      <Loader aria-hidden="true" />
      <VisuallyHidden>{t.loading}</VisuallyHidden>
    </Center>
  )
}

/** The empty state of a page, with a hint what to do. */
export function Empty({ title, hint, action }: { title?: string; hint: string; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" ta="center">
        {title !== undefined && (
          <Title order={2} size="h4">
            {title}
          </Title>
        )}
        <Text c="dimmed" maw={520}>
          {hint}
        </Text>
        {action}
      </Stack>
    </Paper>
  )
}

type FailureProps = {
  error: unknown
  /** The fields of a form that show their own faults. */
  fields?: readonly string[]
  retry?: () => unknown
}

/** A failure, in the words of the API, which say what to do. Shows nothing when all faults are shown at `fields`. */
export function Failure({ error, fields = [], retry }: FailureProps) {
  const t = useTexts(commonTexts)
  if (!error) return null
  const message = isRefusal(error) ? messageBeside(error, fields) : messageOf(error, t)
  if (message === undefined) return null
  const requestId = isRefusal(error) ? error.requestId : undefined
  return (
    <Alert color="red" title={t.failed} role="alert" variant="light">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" className="breakable">
          {message}
        </Text>
        {requestId !== undefined && (
          <Text size="xs" c="dimmed" ff="monospace">
            {t.request(requestId)}
          </Text>
        )}
        {retry && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            {t.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** What was asked for is gone, so trying again is of no use. */
function Gone({ error }: { error: unknown }) {
  const t = useTexts(commonTexts)
  return (
    <Stack gap="sm" align="flex-start">
      <Failure error={error} />
      <Anchor component={Link} href="/jobs">
        {t.toJobs}
      </Anchor>
    </Stack>
  )
}

type Query<Data> = { data: Data | undefined; error: unknown; refetch(): unknown }

/**
 * Shows the data of a query, or its loading or error state. Data that could not be read again stays, and the shell says
 * that it is old, unless what it describes is gone.
 */
export function WithData<Data>({ query, children }: { query: Query<Data>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined && !isGone(query.error)) return children(query.data)
  if (isGone(query.error)) return <Gone error={query.error} />
  if (query.error) return <Failure error={query.error} retry={() => query.refetch()} />
  return <Loading />
}
