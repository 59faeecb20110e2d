import { Anchor, Box, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { count, credits } from '../parts/number-format.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
import { span } from '../parts/time-format.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
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
            <Table.Th ta="right">{t.places}</Table.Th>
            <Table.Th ta="right">{t.newPlaces}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t.changedPlaces}
            </Table.Th>
            <Table.Th ta="right">{t.gonePlaces}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t.cost}
            </Table.Th>
            <Table.Th visibleFrom="sm">{t.took}</Table.Th>
            <Table.Th>{t.job}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map(({ due_at, state, job_id, reason, ...run }) => (
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
              <RunFigures run={run} hasJob={job_id !== undefined} />
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

type RunFiguresProps = { run: Omit<Schemas['MonitorRun'], 'due_at' | 'state'>; hasJob: boolean }

/** What a run found, what it cost and how long it took. */
function RunFigures({ run, hasJob }: RunFiguresProps) {
  const { language } = useLanguage()
  const number = (value: number) => (hasJob ? count(value, language) : '–')
  const took = run.started_at && run.ended_at && Date.parse(run.ended_at) - Date.parse(run.started_at)
  return (
    <>
      <Table.Td ta="right" className="figures">
        {number(run.places)}
      </Table.Td>
      <Table.Td ta="right" className="figures">
        {number(run.new + run.back)}
      </Table.Td>
      <Table.Td ta="right" className="figures" visibleFrom="sm">
        {number(run.changed)}
      </Table.Td>
      <Table.Td ta="right" className="figures">
        {number(run.gone)}
      </Table.Td>
      <Table.Td ta="right" className="figures" visibleFrom="sm">
        {hasJob ? credits(run.cost, language) : '–'}
      </Table.Td>
      <Table.Td visibleFrom="sm">{took ? span(took) : '–'}</Table.Td>
    </>
  )
}

/** Returns why a run was skipped or failed, translated if it is one of the usual reasons. */
function reasonText(texts: Readonly<Record<string, string>>, reason: string | undefined): string | undefined {
  return texts[reason?.split(':', 1)[0] ?? ''] ?? reason
}
