import { Box, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Time } from '../parts/time.tsx'
import { useTexts } from '../texts/language.tsx'
import { operationsTexts } from '../texts/operations.ts'

/** Tasks that failed in all their attempts, the latest first. */
export function DeadTasks() {
  const t = useTexts(operationsTexts)
  const dead = useQuery({
    queryKey: ['operations', 'dead'],
    queryFn: async () => (await answered(api.GET('/api/v1/admin/tasks/dead'))).tasks,
    refetchInterval: 10_000,
  })
  return (
    <WithData query={dead}>
      {(tasks) =>
        tasks.length === 0 ? (
          <Empty title={t.noDead} hint={t.noDeadHint} />
        ) : (
          <Box className="panel places-table">
            <Table verticalSpacing="sm" aria-label={t.tabs.dead}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.task}</Table.Th>
                  <Table.Th>{t.reason}</Table.Th>
                  <Table.Th visibleFrom="sm">{t.when}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tasks.map((task) => (
                  <Table.Tr key={task.id}>
                    <Table.Td className="breakable">
                      {task.kind} {task.keyword}
                      <Text size="xs" c="dimmed" ff="monospace">
                        {task.job_id}
                      </Text>
                    </Table.Td>
                    <Table.Td className="breakable">
                      {task.reason}
                      <Text size="xs" c="dimmed">
                        {task.message}
                      </Text>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">{task.ended_at && <Time at={task.ended_at} />}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        )
      }
    </WithData>
  )
}
