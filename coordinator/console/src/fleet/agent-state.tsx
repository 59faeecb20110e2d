import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useTexts } from '../texts/language.ts'
import type { Agent } from './fleet-queries.ts'
import { whyIdle } from './fleet-queries.ts'

export type Command = 'drain' | 'resume' | 'revoke'

/** Why the agent is idle, which exits rest, and which fields of the map site are missing. */
export function Concerns({ agent, waiting }: { agent: Agent; waiting: number | undefined }) {
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
        <Badge color="red" variant="light" radius="sm" tt="none" className="state">
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

/** The commands that an agent accepts. */
export function Commands({ agent, onCommand }: { agent: Agent; onCommand(command: Command): void }) {
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
