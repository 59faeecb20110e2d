import { Alert, Button, Center, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiFailure } from '../api/client.ts'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'

/** What a page shows while its data comes. */
export function Loading() {
  const t = useTexts(commonTexts)
  return (
    <Center mih={160}>
      <Loader aria-label={t.loading} role="img" />
    </Center>
  )
}

/** What a page shows where there is nothing yet, and what to do about it. */
export function Empty({ title, hint, action }: { title: string; hint: string; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" maw={520}>
          {hint}
        </Text>
        {action}
      </Stack>
    </Paper>
  )
}

/** A failure in the words of the API, which say what to do. */
export function Failure({ error, retry }: { error: unknown; retry?: () => unknown }) {
  const t = useTexts(commonTexts)
  if (!error) return null
  const requestId = error instanceof ApiFailure ? error.body.request_id : undefined
  return (
    <Alert color="red" title={t.failed} role="alert" variant="light">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error, t.noConnection)}</Text>
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

/** What to tell of a failure: the API's own words, else that it does not answer. */
export function messageOf(error: unknown, noConnection: string): string {
  return error instanceof ApiFailure ? error.message : noConnection
}

type Query<Data> = { data: Data | undefined; error: unknown; refetch(): unknown }

/** Shows data when it is there, and until then how far its query is. */
export function WithData<Data>({ query, children }: { query: Query<Data>; children: (data: Data) => ReactNode }) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failure error={query.error} retry={() => query.refetch()} />
  return <Loading />
}
