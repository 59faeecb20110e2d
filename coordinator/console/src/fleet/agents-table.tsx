import { Box, Table, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useAction } from '../parts/use-action.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useTexts } from '../texts/language.ts'
import { AgentRow, type Command } from './agent-row.tsx'
import { type Agent, FLEET_KEY } from './fleet-queries.ts'

/**
 * Agents with their slots and speed, and commands for enrolled ones. `waiting` counts the tasks that wait for an agent.
 */
export function AgentsTable({ agents, waiting }: { agents: Agent[]; waiting: number | undefined }) {
  const t = useTexts(fleetTexts)
  const [asked, setAsked] = useState<string>()
  const send = useAction(
    ({ name, command }: { name: string; command: Command }) =>
      unwrap(api.POST(`/api/v1/admin/agents/{name}/${command}`, { params: { path: { name } } })),
    FLEET_KEY,
  )
  const give = (name: string, command: Command) =>
    command === 'revoke' ? setAsked(name) : send.mutate({ name, command })
  const revoke = () =>
    asked && send.mutate({ name: asked, command: 'revoke' }, { onSettled: () => setAsked(undefined) })
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="sm" aria-label={t.table}>
        <Headings />
        <Table.Tbody>
          {agents.map((agent) => (
            <AgentRow
              key={agent.id ?? agent.name}
              agent={agent}
              waiting={waiting}
              onCommand={(one) => give(agent.name, one)}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={asked !== undefined}
        title={t.revokeSure(asked ?? '')}
        hint={t.revokeHint}
        action={t.revoke}
        cancelLabel={t.keep}
        pending={send.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={revoke}
      />
    </Box>
  )
}

function Headings() {
  const t = useTexts(fleetTexts)
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t.name}</Table.Th>
        <Table.Th>{t.state}</Table.Th>
        <Table.Th visibleFrom="xs">{t.tasks}</Table.Th>
        <Table.Th ta="right" visibleFrom="sm">
          {t.speed}
        </Table.Th>
        <Table.Th ta="right" visibleFrom="md">
          {t.blocked}
        </Table.Th>
        <Table.Th visibleFrom="md">{t.seen}</Table.Th>
        <Table.Th>
          <VisuallyHidden>{t.actions}</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}
