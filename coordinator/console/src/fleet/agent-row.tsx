import { ActionIcon, Anchor, Badge, Menu, Progress, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import type { Agent } from './fleet-queries.ts'
import { whyIdle } from './fleet-queries.ts'

export type Command = 'drain' | 'resume' | 'revoke'

type AgentRowProps = { agent: Agent; waiting: number | undefined; onCommand(command: Command): void }

/** One agent: its work, why it is idle, and the commands that it accepts. */
export function AgentRow({ agent, waiting, onCommand }: AgentRowProps) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const about = [agent.host, agent.version && t.version(agent.version), agent.enrolled ? undefined : t.shared]
  const slots = agent.slots ?? 0
  return (
    <Table.Tr>
      <Table.Td className="breakable name-cell">
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
      </Table.Td>
      <Table.Td>
        <StatusBadge status={agent.state} />
        <Concerns agent={agent} waiting={waiting} />
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
        {agent.enrolled && agent.state !== 'revoked' && <Commands agent={agent} onCommand={onCommand} />}
      </Table.Td>
    </Table.Tr>
  )
}

/** Why the agent is idle, which exits rest, and which fields of the map site are missing. */
function Concerns({ agent, waiting }: Pick<AgentRowProps, 'agent' | 'waiting'>) {
  const t = useTexts(fleetTexts)
  const idle = whyIdle(agent, waiting)
  const resting = (agent.resting ?? []).map(({ reason, count }) => t.resting[reason](count))
  return (
    <>
      {[...(idle ? [t.idle[idle]] : []), ...resting].map((text) => (
        <Text key={text} size="xs" c="dimmed">
          {text}
        </Text>
      ))}
      {agent.chromium_problem && <NoChromium problem={agent.chromium_problem} />}
      {agent.drifted?.map((path) => (
        <Text key={path} size="xs" c="red" className="breakable">
          {t.drifted(path)}
        </Text>
      ))}
    </>
  )
}

/** The agent's own words have the line that mends it. They are English, so another language puts a sentence first. */
function NoChromium({ problem: { cause, message } }: { problem: Schemas['ChromiumProblem'] }) {
  const t = useTexts(fleetTexts)
  const translated = t.chromium[cause]
  return (
    <>
      <div>
        <Badge color="red" variant="light" radius="sm" tt="none">
          {t.noChromium}
        </Badge>
      </div>
      {[...(translated ? [translated] : []), ...(translated && cause === 'root' ? [] : [message])].map((text) => (
        <Text key={text} size="xs" c="red" className="breakable">
          {text}
        </Text>
      ))}
    </>
  )
}

function Commands({ agent, onCommand }: { agent: Agent; onCommand(command: Command): void }) {
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
        <Menu.Item onClick={() => onCommand(next)}>{t[next]}</Menu.Item>
        <Menu.Item color="red" onClick={() => onCommand('revoke')}>
          {t.revoke}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
