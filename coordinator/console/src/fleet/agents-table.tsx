import { Box, Table, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { answered, api } from '../api/client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { useAction } from '../parts/use-action.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useTexts } from '../texts/language.tsx'
import { AgentRow, type Order } from './agent-row.tsx'
import { type Agent, FLEET_KEY } from './fleet-queries.ts'

/** Agents with their slots and speed; enrolled ones take orders. `waiting` counts the tasks that wait for an agent. */
export function AgentsTable({ agents, waiting }: { agents: Agent[]; waiting: number | undefined }) {
  const t = useTexts(fleetTexts)
  const [asked, setAsked] = useState<string>()
  const order = useAction(
    ({ name, order }: { name: string; order: Order }) =>
      answered(api.POST(`/api/v1/admin/agents/{name}/${order}`, { params: { path: { name } } })),
    FLEET_KEY,
  )
  const give = (name: string, order_: Order) =>
    order_ === 'revoke' ? setAsked(name) : order.mutate({ name, order: order_ })
  const revoke = () => asked && order.mutate({ name: asked, order: 'revoke' }, { onSettled: () => setAsked(undefined) })
  return (
    <Box className="panel places-table">
      <Table verticalSpacing="sm" aria-label={t.table}>
        <Headings />
        <Table.Tbody>
          {agents.map((agent) => (
            <AgentRow
              key={agent.id ?? agent.name}
              agent={agent}
              waiting={waiting}
              onOrder={(one) => give(agent.name, one)}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={asked !== undefined}
        title={t.revokeSure(asked ?? '')}
        hint={t.revokeHint}
        action={t.revoke}
        keep={t.keep}
        pending={order.isPending}
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
