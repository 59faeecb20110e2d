import { Anchor, Box, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { useRuns } from './monitor-queries.ts'

/** The latest runs of a monitor, including those that were skipped. */
export function Runs({ id }: { id: string }) {
  const t = useTexts(monitorsTexts)
  return (
    <WithData query={useRuns(id)}>
      {({ runs }) =>
        runs.length === 0 ? (
          <Empty title={t.noRuns} hint={t.noRunsHint} />
        ) : (
          <Stack gap="sm">
            <Group justify="flex-end">
              <ExportMenu
                size="xs"
                label={t.exportAll}
                hint={t.exportHint}
                path="/api/v1/results/download"
                query={{ monitor_id: id }}
              />
            </Group>
            <RunsTable runs={runs} />
          </Stack>
        )
      }
    </WithData>
  )
}

function RunsTable({ runs }: { runs: Schemas['MonitorRun'][] }) {
  const t = useTexts(monitorsTexts)
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="xs" aria-label={t.runs}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.due}</Table.Th>
            <Table.Th>{t.result}</Table.Th>
            <Table.Th>{t.job}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map(({ due_at, state, job_id, reason }) => (
            <Table.Tr key={due_at}>
              <Table.Td>
                <FullTime at={due_at} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={state} />
                <Text size="xs" c="dimmed" className="breakable">
                  {reasonText(t.skipReasons, reason) ?? t.runStates[state]}
                </Text>
              </Table.Td>
              <Table.Td>
                {job_id !== undefined && (
                  <Anchor component={Link} href={`/jobs/${job_id}`} inherit>
                    {t.toJob}
                  </Anchor>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

/** Returns why a run was skipped or failed, translated if it is one of the usual reasons. */
function reasonText(texts: Readonly<Record<string, string>>, reason: string | undefined): string | undefined {
  return texts[reason?.split(':', 1)[0] ?? ''] ?? reason
}
