import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { useTaskLabel } from '../job/tasks-table.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { timelineTexts } from '../texts/timeline.ts'

const lastAttempt = ({ attempts }: Schemas['AnyTask']) => attempts.at(-1)

/** Failed tasks with the words of their agents. */
export function FailedTasks({ tasks, title }: { tasks: readonly Schemas['AnyTask'][]; title: string }) {
  const t = useTexts(operationsTexts)
  const { verdicts: v } = useTexts(timelineTexts)
  const columns: Column<Schemas['AnyTask']>[] = [
    {
      title: t.task,
      breakable: true,
      cell: (task) => <TaskOfJob {...task} />,
    },
    {
      title: t.reason,
      breakable: true,
      cell: (task) => (
        <>
          {v[lastAttempt(task)?.reason ?? 'failed']}
          <Text size="xs" c="dimmed" lang="en">
            {lastAttempt(task)?.detail ?? lastAttempt(task)?.message}
          </Text>
        </>
      ),
    },
    { title: t.agent, from: 'sm', breakable: true, cell: (task) => lastAttempt(task)?.agent },
    { title: t.when, from: 'sm', cell: (task) => timeOf(lastAttempt(task)?.ended_at) },
  ]
  return <DataTable caption label={title} rows={tasks} columns={columns} keyOf={({ id }) => id} />
}

function TaskOfJob(task: Schemas['AnyTask']) {
  return (
    <>
      {useTaskLabel(task)}
      <Text size="xs" ff="monospace">
        <Anchor component={Link} href={`/operations/jobs/${task.job_id}?tasks=failed`} inherit underline="always">
          {task.job_id}
        </Anchor>
      </Text>
    </>
  )
}

const timeOf = (at: string | undefined) => at && <Time at={at} />
