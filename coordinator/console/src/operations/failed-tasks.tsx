import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'

/** Failed tasks with the words of their agents. */
export function FailedTasks({ tasks, title }: { tasks: readonly Schemas['DeadTask'][]; title: string }) {
  const t = useTexts(operationsTexts)
  const columns: Column<Schemas['DeadTask']>[] = [
    {
      title: t.task,
      breakable: true,
      cell: (task) => (
        <>
          {task.kind} {task.keyword}
          <Text size="xs" ff="monospace">
            <Anchor component={Link} href={`/operations/jobs/${task.job_id}?tasks=failed`} inherit underline="always">
              {task.job_id}
            </Anchor>
          </Text>
        </>
      ),
    },
    {
      title: t.reason,
      breakable: true,
      cell: (task) => (
        <>
          {task.reason}: {task.message}
          <Text size="xs" c="dimmed">
            {task.detail}
          </Text>
        </>
      ),
    },
    { title: t.agent, from: 'sm', breakable: true, cell: (task) => task.agent },
    { title: t.when, from: 'sm', cell: (task) => task.ended_at && <Time at={task.ended_at} /> },
  ]
  return <DataTable caption label={title} rows={tasks} columns={columns} keyOf={({ id }) => id} />
}
