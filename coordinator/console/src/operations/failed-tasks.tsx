import { Anchor, Box, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'

/** Failed tasks with the words of their agents. */
export function FailedTasks({ tasks, title }: { tasks: readonly Schemas['DeadTask'][]; title: string }) {
  const t = useTexts(operationsTexts)
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="sm" aria-label={title} captionSide="top">
        <Table.Caption>{title}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.task}</Table.Th>
            <Table.Th>{t.reason}</Table.Th>
            <Table.Th visibleFrom="sm">{t.agent}</Table.Th>
            <Table.Th visibleFrom="sm">{t.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tasks.map((task) => (
            <Table.Tr key={task.id}>
              <Table.Td className="breakable">
                {task.kind} {task.keyword}
                <Text size="xs" ff="monospace">
                  <Anchor
                    component={Link}
                    href={`/operations/jobs/${task.job_id}?tasks=failed`}
                    inherit
                    underline="always"
                  >
                    {task.job_id}
                  </Anchor>
                </Text>
              </Table.Td>
              <Table.Td className="breakable">
                {task.reason}: {task.message}
                <Text size="xs" c="dimmed">
                  {task.detail}
                </Text>
              </Table.Td>
              <Table.Td className="breakable" visibleFrom="sm">
                {task.agent}
              </Table.Td>
              <Table.Td visibleFrom="sm">{task.ended_at && <Time at={task.ended_at} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
