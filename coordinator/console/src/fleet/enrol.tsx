import { Alert, Button, Group, Modal, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiFailure, answered, api, type Schemas } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Failure } from '../parts/data-states.tsx'
import { fleetTexts } from '../texts/fleet.ts'
import { useTexts } from '../texts/language.tsx'
import { FLEET_KEY } from './fleet-queries.ts'

/** Gives an agent a token of its own, shown once with the settings to start it with. */
export function Enrol() {
  const t = useTexts(fleetTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [made, setMade] = useState<Schemas['EnrolledAgent']>()
  const enrol = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/admin/agents', { body: { name } })),
    onSuccess: (agent) => {
      setName('')
      setMade(agent)
      return queries.invalidateQueries({ queryKey: FLEET_KEY })
    },
  })
  const detail = enrol.error instanceof ApiFailure ? enrol.error.detailOf('name') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enrol.mutate()
  }
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <TextInput
            className="grows"
            label={t.agentName}
            description={t.enrolHint}
            maxLength={64}
            value={name}
            error={detail}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
          <Button type="submit" loading={enrol.isPending}>
            {t.enrol}
          </Button>
        </Group>
        {detail === undefined && <Failure error={enrol.error} />}
      </Stack>
      <Token made={made} onClose={() => setMade(undefined)} />
    </Paper>
  )
}

function Token({ made, onClose }: { made: Schemas['EnrolledAgent'] | undefined; onClose(): void }) {
  const t = useTexts(fleetTexts)
  const settings = `AGENT_NAME=${made?.name}\nAGENT_TOKEN=${made?.token}\nCOORDINATOR_GRPC=${location.hostname}:50051`
  return (
    <Modal
      opened={made !== undefined}
      onClose={onClose}
      size="lg"
      title={<Text fw={650}>{t.enrolled}</Text>}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          {t.enrolledHint}
        </Alert>
        <CodeBlock label={t.settings}>{settings}</CodeBlock>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
