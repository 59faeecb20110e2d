import { ActionIcon, Box, Menu, Progress, Table, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { answered, api } from '../api/client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { type Agent, FLEET_KEY } from './fleet-queries.ts'

type Order = 'drain' | 'resume' | 'revoke'

/** Agents with their slots and speed; enrolled ones take orders. */
export function AgentsTable({ agents }: { agents: Agent[] }) {
  const t = useTexts(fleetTexts)
  const [asked, setAsked] = useState<string>()
  const order = useAction(
    ({ name, order }: { name: string; order: Order }) =>
      answered(api.POST(`/api/v1/admin/agents/{name}/${order}`, { params: { path: { name } } })),
    FLEET_KEY,
  )
  const give = (name: string, order_: Order) =>
    order_ === 'revoke' ? setAsked(name) : order.mutate({ name, order: order_ })
  return (
    <Box className="panel places-table">
      <Table verticalSpacing="sm" aria-label={t.table}>
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
        <Table.Tbody>
          {agents.map((agent) => (
            <AgentRow key={agent.id ?? agent.name} agent={agent} onOrder={(one) => give(agent.name, one)} />
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
        onConfirm={() =>
          asked && order.mutate({ name: asked, order: 'revoke' }, { onSettled: () => setAsked(undefined) })
        }
      />
    </Box>
  )
}

function AgentRow({ agent, onOrder }: { agent: Agent; onOrder(order: Order): void }) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const about = [agent.host, agent.version && t.version(agent.version), agent.enrolled ? undefined : t.shared]
  const slots = agent.slots ?? 0
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        <Text size="sm" fw={600}>
          {agent.name}
        </Text>
        <Text size="xs" c="dimmed">
          {about.filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={agent.state} />
      </Table.Td>
      <Table.Td visibleFrom="xs" miw={90} className="figures">
        {agent.running} / {slots}
        <Progress value={slots === 0 ? 0 : (agent.running / slots) * 100} size="sm" mt={4} aria-label={t.tasks} />
      </Table.Td>
      <Table.Td ta="right" className="figures" visibleFrom="sm">
        {agent.places_per_minute.toLocaleString(language)}
      </Table.Td>
      <Table.Td ta="right" className="figures" visibleFrom="md">
        {agent.block_rate === undefined ? '' : agent.block_rate.toLocaleString(language, { style: 'percent' })}
      </Table.Td>
      <Table.Td visibleFrom="md">{agent.last_seen_at && <Time at={agent.last_seen_at} />}</Table.Td>
      <Table.Td ta="right">
        {agent.enrolled && agent.state !== 'revoked' && <Orders agent={agent} onOrder={onOrder} />}
      </Table.Td>
    </Table.Tr>
  )
}

function Orders({ agent, onOrder }: { agent: Agent; onOrder(order: Order): void }) {
  const t = useTexts(fleetTexts)
  const next = agent.state === 'draining' ? 'resume' : 'drain'
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(agent.name)}>
          <span aria-hidden="true">⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOrder(next)}>{t[next]}</Menu.Item>
        <Menu.Item color="red" onClick={() => onOrder('revoke')}>
          {t.revoke}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
