import { Anchor, Box, Button, Group, Paper, Stack, Table, Text, TextInput } from '@mantine/core'
import { JOB_EVENTS, type WebhookEvent } from '@placefleet/shared/webhooks/job-event'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Faults, FormFailure, useFaults } from '../parts/faults.tsx'
import { Page } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'
import { EventTypes } from './event-types.tsx'
import { NewSecret } from './new-secret.tsx'
import { useWebhooks, WEBHOOKS_KEY, type Webhook } from './webhook-queries.ts'

/** The user's webhooks: register them, see their health. */
export default function WebhooksPage() {
  const t = useTexts(webhooksTexts)
  const webhooks = useWebhooks()
  const [secret, setSecret] = useState<string>()
  return (
    <Page title={t.title} lead={t.lead}>
      <Register onMade={setSecret} />
      <WithData query={webhooks}>
        {(all) => (all.length === 0 ? <Empty title={t.none} hint={t.noneHint} /> : <WebhooksTable webhooks={all} />)}
      </WithData>
      <NewSecret secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  )
}

type Fields = { name: string; url: string; event_types: WebhookEvent[] }

/** The fields of the API that the form shows. */
const FIELDS = { name: ['name'], url: ['url'], event_types: ['event_types'] } as const

const EMPTY: Fields = { name: '', url: '', event_types: [...JOB_EVENTS] }

function Register({ onMade }: { onMade(secret: string): void }) {
  const t = useTexts(webhooksTexts)
  const queries = useQueryClient()
  const [fields, setFields] = useState(EMPTY)
  const register = useMutation({
    mutationFn: (body: Fields) => unwrap(api.POST('/api/v1/webhooks', { body })),
    onSuccess: ({ secret }) => {
      setFields(EMPTY)
      onMade(secret)
      return queries.invalidateQueries({ queryKey: WEBHOOKS_KEY })
    },
  })
  const faults = useFaults(register, fields, FIELDS, t.faults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    register.mutate(fields)
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <WebhookFields fields={fields} onChange={setFields} errorOf={faults.of} />
        <EventTypes
          value={fields.event_types}
          error={faults.of('event_types')}
          onChange={(event_types) => setFields({ ...fields, event_types })}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button type="submit" loading={register.isPending}>
            {t.register}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

type WebhookFieldsProps = {
  fields: Fields
  onChange(fields: Fields): void
  errorOf: Faults['of']
}

function WebhookFields({ fields, onChange, errorOf }: WebhookFieldsProps) {
  const t = useTexts(webhooksTexts)
  return (
    <Group align="flex-start" gap="sm">
      <TextInput
        className="grows"
        label={t.name}
        withAsterisk
        description={t.nameHint}
        maxLength={100}
        value={fields.name}
        error={errorOf('name')}
        onChange={({ currentTarget: { value } }) => onChange({ ...fields, name: value })}
      />
      <TextInput
        className="grows"
        type="url"
        label={t.url}
        withAsterisk
        description={t.urlHint}
        maxLength={2_048}
        value={fields.url}
        error={errorOf('url')}
        onChange={({ currentTarget: { value } }) => onChange({ ...fields, url: value })}
      />
    </Group>
  )
}

function WebhooksTable({ webhooks }: { webhooks: Webhook[] }) {
  const t = useTexts(webhooksTexts)
  const sorted = webhooks.toSorted((one, other) => Number(Boolean(one.revoked_at)) - Number(Boolean(other.revoked_at)))
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="sm" aria-label={t.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th>{t.health}</Table.Th>
            <Table.Th visibleFrom="sm">{t.verified}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((webhook) => (
            <Table.Tr key={webhook.id}>
              <Table.Td className="breakable">
                <Anchor component={Link} href={`/webhooks/${webhook.id}`} fw={600}>
                  {webhook.name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {webhook.url}
                </Text>
              </Table.Td>
              <Table.Td>
                <StatusBadge status={webhook.revoked_at ? 'revoked' : webhook.health_state} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{webhook.verified_at ? <Time at={webhook.verified_at} /> : t.notYet}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
