import { Alert, Button, Code, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { Failure, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { connectTexts } from '../texts/connect.ts'
import { useTexts } from '../texts/language.ts'

/** The program that shows a pairing code. */
const deviceLoginQuery = (user_code: string) =>
  queryOptions({
    queryKey: ['device-login', user_code],
    queryFn: () => unwrap(api.GET('/auth/device/{user_code}', { params: { path: { user_code } } })),
    retry: false,
    refetchOnWindowFocus: false, // once decided it is gone
  })

/** Lets a program in that shows a pairing code, e.g. `placefleet login`. */
export default function ConnectPage() {
  const t = useTexts(connectTexts)
  const [parameters, setParameters] = useSearchParams()
  const code = parameters.get('code')
  return (
    <Page title={t.title} lead={t.lead}>
      {code === null ? (
        <CodeForm onCode={(typed) => setParameters({ code: typed })} />
      ) : (
        <Waiting code={code} key={code} onOther={() => setParameters({})} />
      )}
    </Page>
  )
}

function CodeForm({ onCode }: { onCode(code: string): void }) {
  const t = useTexts(connectTexts)
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCode(written(typed))
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} maw={480}>
      <Group align="flex-end" gap="sm">
        <TextInput
          className="grows"
          label={t.code}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Button type="submit" disabled={typed.trim() === ''}>
          {t.next}
        </Button>
      </Group>
    </Paper>
  )
}

/** Returns a pairing code as the program shows it, however it was typed. */
function written(typed: string): string {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

function Waiting({ code, onOther }: { code: string; onOther(): void }) {
  const t = useTexts(connectTexts)
  const path = { params: { path: { user_code: code } } }
  const login = useQuery(deviceLoginQuery(code))
  const decide = useMutation({
    mutationFn: (word: 'approve' | 'deny') => unwrap(api.POST(`/auth/device/{user_code}/${word}`, path)),
    onSuccess: () => {
      if (login.data?.returns_to !== undefined) window.location.assign(`/auth/oauth/return?user_code=${code}`)
    },
  })
  if (decide.isSuccess) {
    const approved = decide.variables === 'approve'
    return (
      <Alert color={approved ? 'green' : 'gray'} title={approved ? t.approved : t.denied} role="status" maw={480}>
        {approved ? t.approvedHint : t.deniedHint}
      </Alert>
    )
  }
  return (
    <Stack align="flex-start">
      <WithData query={login}>
        {(found) => <Request login={found} decide={decide.mutate} pending={decide.isPending} />}
      </WithData>
      <Failure error={decide.error} />
      <Button variant="default" size="xs" onClick={onOther}>
        {t.other}
      </Button>
    </Stack>
  )
}

type RequestProps = { login: Schemas['DeviceLogin']; pending: boolean; decide(word: 'approve' | 'deny'): void }

function Request({ login, pending, decide }: RequestProps) {
  const t = useTexts(connectTexts)
  return (
    <Paper withBorder p="lg" maw={480}>
      <Stack gap="sm">
        <Title order={2} size="h4" className="breakable">
          {t.asks(login.client_name)}
        </Title>
        {login.returns_to === undefined && (
          <Code fz="xl" ta="center" p="sm">
            {login.user_code}
          </Code>
        )}
        <Text size="sm">{login.returns_to === undefined ? t.compare : t.compareHost(login.returns_to)}</Text>
        <Text size="sm" c="dimmed">
          {t.begun} <Time at={login.created_at} />, {t.from} <Code>{login.client_address}</Code>
        </Text>
        <Group justify="flex-end">
          <Button variant="default" disabled={pending} onClick={() => decide('deny')}>
            {t.deny}
          </Button>
          <Button loading={pending} onClick={() => decide('approve')}>
            {t.approve}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
