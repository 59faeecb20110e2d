import { Anchor, Box, Progress, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { type Command, Commands, Concerns } from './agent-state.tsx'
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
  const columns = useColumns(waiting, give)
  return (
    <>
      <DataTable label={t.table} rows={agents} columns={columns} keyOf={({ id, name }) => id ?? name} />
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
    </>
  )
}

function useColumns(waiting: number | undefined, give: (name: string, command: Command) => void): Column<Agent>[] {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  return [
    {
      title: t.name,
      breakable: true,
      className: 'name-cell',
      order: ({ name }) => name,
      cell: (agent) => <Name agent={agent} />,
    },
    {
      title: t.state,
      order: ({ state }) => state,
      cell: (agent) => (
        <>
          <StatusBadge status={agent.state} />
          <Concerns agent={agent} waiting={waiting} />
        </>
      ),
    },
    { title: t.tasks, from: 'xs', order: ({ running }) => running, cell: (agent) => <Slots agent={agent} /> },
    {
      title: t.speed,
      figures: true,
      from: 'sm',
      order: ({ places_per_minute }) => places_per_minute,
      cell: (agent) => agent.places_per_minute.toLocaleString(language),
    },
    {
      title: t.blocked,
      order: ({ block_rate }) => block_rate,
      figures: true,
      from: 'md',
      cell: ({ block_rate }) => block_rate?.toLocaleString(language, { style: 'percent' }),
    },
    {
      title: t.seen,
      from: 'md',
      order: ({ last_seen_at }) => last_seen_at,
      cell: ({ last_seen_at }) => last_seen_at && <Time at={last_seen_at} />,
    },
    {
      title: t.actions,
      actions: true,
      cell: (agent) =>
        agent.enrolled &&
        agent.state !== 'revoked' && <Commands agent={agent} onCommand={(command) => give(agent.name, command)} />,
    },
  ]
}

function Name({ agent }: { agent: Agent }) {
  const t = useTexts(fleetTexts)
  const about = [agent.host, agent.version && t.version(agent.version), agent.enrolled ? undefined : t.shared]
  return (
    <>
      {agent.id === undefined ? (
        <Text size="sm" fw={600}>
          {agent.name}
        </Text>
      ) : (
        <Anchor component={Link} href={`/fleet/agent?id=${encodeURIComponent(agent.id)}`} size="sm" fw={600}>
          {agent.name}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        {about.filter(Boolean).join(' · ')}
      </Text>
    </>
  )
}

function Slots({ agent: { running, slots = 0 } }: { agent: Agent }) {
  const t = useTexts(fleetTexts)
  return (
    <Box miw={70} className="figures">
      {running} / {slots}
      <Progress value={slots === 0 ? 0 : (running / slots) * 100} size="sm" mt={4} aria-label={t.tasks} />
    </Box>
  )
}
