import { Alert, Anchor, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { useSeconds } from '../api/clock.ts'
import { TaskLabel } from '../job/tasks-table.tsx'
import { tookOf, verdictOf } from '../job/timeline-rules.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { span } from '../parts/formats.ts'
import { Figure, Page, Section } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { activityTexts } from '../texts/activity.ts'
import { useTexts } from '../texts/language.ts'
import { timelineTexts } from '../texts/timeline.ts'
import { AgentMinutes } from './activity.tsx'
import { type Agent, agentActivityQuery, useAgents } from './fleet-queries.ts'

/** One agent process, the one with the id `?id=`: what it is, what it did in the last hour, and its latest tasks. */
export default function AgentPage() {
  const t = useTexts(activityTexts)
  const [params] = useSearchParams()
  const id = params.get('id') ?? ''
  return (
    <WithData query={useAgents()}>
      {(agents) => {
        const agent = agents.find((one) => one.id === id)
        return agent ? (
          <AgentView agent={agent} id={id} />
        ) : (
          <Page title={t.gone}>
            <Empty title={t.gone} hint={t.goneHint} action={<Back />} />
          </Page>
        )
      }}
    </WithData>
  )
}

function Back() {
  const t = useTexts(activityTexts)
  return (
    <Anchor component={Link} href="/fleet" size="sm">
      ← {t.all}
    </Anchor>
  )
}

function AgentView({ agent, id }: { agent: Agent; id: string }) {
  const t = useTexts(activityTexts)
  const activity = useQuery(agentActivityQuery(id))
  return (
    <Page title={agent.name} lead={t.agentLead}>
      <Back />
      <Text component="div">
        <StatusBadge status={agent.state} size="lg" />{' '}
        {agent.last_seen_at && (
          <>
            {t.seen}: <Time at={agent.last_seen_at} />
          </>
        )}
      </Text>
      {agent.chromium_problem && (
        <Alert color="red" variant="light">
          {agent.chromium_problem.message}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Figure label={t.slots} value={agent.busy ?? 0} hint={t.slotsOf(agent.slots ?? 0)} />
        <Figure label={t.exit} value={<Small text={agent.exit?.name} />} />
        <Figure label={t.host} value={<Small text={agent.host} />} />
        <Figure label={t.version} value={<Small text={agent.version} />} />
      </SimpleGrid>
      <Section title={t.lastHour}>
        <WithData query={activity}>{({ minutes }) => <AgentMinutes minutes={minutes} />}</WithData>
      </Section>
      <WithData query={activity}>{({ tasks }) => <Tasks tasks={tasks} />}</WithData>
    </Page>
  )
}

function Small({ text = '–' }: { text?: string | undefined }) {
  return (
    <Text size="sm" component="div" className="breakable">
      {text}
    </Text>
  )
}

type AgentTask = Schemas['AgentActivity']['tasks'][number]

function Tasks({ tasks }: { tasks: readonly AgentTask[] }) {
  const t = useTexts(activityTexts)
  const texts = useTexts(timelineTexts)
  const now = useSeconds()
  const columns: Column<AgentTask>[] = [
    {
      title: texts.task,
      breakable: true,
      cell: (task) => (
        <Anchor component={Link} href={`/operations/jobs/${task.job_id}`} inherit>
          <TaskLabel task={task} />
        </Anchor>
      ),
    },
    {
      title: texts.state,
      cell: ({ state, attempts }) => {
        const last = attempts.at(-1)
        const verdict = last && verdictOf(last)
        return (
          <>
            <StatusBadge status={state} />
            <Text size="xs" c="dimmed">
              {verdict !== undefined && (texts.verdicts[verdict] ?? verdict)}
            </Text>
          </>
        )
      },
    },
    {
      title: texts.when,
      from: 'sm',
      cell: ({ attempts }) => {
        const last = attempts.at(-1)
        return (
          last && (
            <>
              <Time at={last.started_at} /> · {span(tookOf(last, now))}
            </>
          )
        )
      },
    },
  ]
  return (
    <DataTable
      dense
      caption
      label={t.tasks}
      rows={tasks}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title={t.noTasks} hint={t.noTasksHint} />}
    />
  )
}
