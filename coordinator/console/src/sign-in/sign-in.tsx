import { Alert, Box, Button, Center, Group, Loader, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Route, Switch } from 'wouter'
import { SESSION_KEY } from '../api/queries.ts'
import iconUrl from '../icon.svg'
import { CodeBlock } from '../parts/code-block.tsx'
import { Preferences } from '../parts/preferences.tsx'
import { useTexts } from '../texts/language.ts'
import { signInTexts } from '../texts/sign-in.ts'
import { Claim } from './claim.tsx'
import { exchangeLink, forgetLinkToken, loginUrl, providersQuery, useLinkToken } from './sign-in-api.ts'

/** The sign-in page. */
export function SignIn() {
  const t = useTexts(signInTexts)
  useEffect(() => {
    document.title = `${t.title} · Placefleet`
  }, [t])
  return (
    <Center mih="100vh" p="md" className="canvas sign-in" component="main">
      <Paper withBorder p="xl" w="100%" maw={440} shadow="sm">
        <Stack gap="md">
          <Group gap="sm">
            <img src={iconUrl} alt="" width={36} height={36} />
            <Text fw={700} size="xl">
              Placefleet
            </Text>
          </Group>
          <Title order={1} size="h3">
            {t.title}
          </Title>
          <SignInWays />
        </Stack>
      </Paper>
      <Box w={260} mt="lg">
        <Preferences />
      </Box>
    </Center>
  )
}

/** Asks a user whose session has ended to sign in, before the page with all that was entered. */
export function SignInAgain({ email }: { email: string }) {
  const t = useTexts(signInTexts)
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={<Text fw={650}>{t.again}</Text>}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="md">
        <Text size="sm">{t.againHint(email)}</Text>
        <SignInWays inNewTab />
      </Stack>
    </Modal>
  )
}

/** A link for each identity provider, and how to get a sign-in link. Exchanges the token of a sign-in link at once. */
function SignInWays({ inNewTab = false }: { inNewTab?: boolean }) {
  const t = useTexts(signInTexts)
  const queries = useQueryClient()
  const exchange = useMutation({
    mutationFn: exchangeLink,
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSION_KEY }),
  })
  const { mutate } = exchange
  const token = useLinkToken()
  useEffect(() => {
    if (token === undefined) return
    forgetLinkToken()
    mutate(token)
  }, [token, mutate])
  const [refused] = useState(() => new URLSearchParams(location.search).get('error'))
  return (
    <>
      {refused !== null && (
        <Alert color="red" title={t.failed} role="alert">
          {t.failures[refused] ?? t.failures.other}
        </Alert>
      )}
      {exchange.isPending || exchange.isSuccess ? (
        <Group role="status">
          <Loader size="sm" /> {t.signingIn}
        </Group>
      ) : (
        <Switch>
          <Route path="/claim">
            <Claim />
          </Route>
          <Route>
            <SignInOptions linkFailed={exchange.isError} inNewTab={inNewTab} />
          </Route>
        </Switch>
      )}
    </>
  )
}

function SignInOptions({ linkFailed, inNewTab }: { linkFailed: boolean; inNewTab: boolean }) {
  const t = useTexts(signInTexts)
  const providers = useQuery(providersQuery)
  return (
    <>
      {linkFailed && (
        <Alert color="red" role="alert">
          {t.linkFailed}
        </Alert>
      )}
      {providers.data?.map((provider) => (
        <Stack key={provider.login_path} gap={4}>
          <Button component="a" href={loginUrl(provider)} target={inNewTab ? '_blank' : undefined} size="md">
            {t.with(provider.name)}
          </Button>
          {provider.failure && (
            <Text size="sm" c="red">
              {t.failures[provider.failure] ?? t.failures.other}
            </Text>
          )}
        </Stack>
      ))}
      {providers.error && <Text c="red">{t.providersFailed}</Text>}
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t.linkTitle}
        </Title>
        <Text size="sm">{t.linkPrinted}</Text>
        <Text size="sm">{t.linkAnother}</Text>
        <CodeBlock label={t.linkCommand}>npm run ops -- users sign-in-link</CodeBlock>
        <Text size="sm" c="dimmed">
          {t.linkOfOperator}
        </Text>
      </Stack>
    </>
  )
}
