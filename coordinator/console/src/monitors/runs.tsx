import { Anchor, Box, Group, Stack, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { credits } from '../parts/figure.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
import { useLanguage, useTexts } from '../texts/language.tsx'
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
    <Box className="panel places-table">
      <Table verticalSpacing="xs" aria-label={t.runs}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.due}</Table.Th>
            <Table.Th>{t.result}</Table.Th>
            <Table.Th>{t.job}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map(({ due_at, state, job_id, reason, series }) => (
            <Table.Tr key={due_at}>
              <Table.Td>
                <FullTime at={due_at} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={state} />
                <Text size="xs" c="dimmed" className="breakable">
                  {reasonText(t.skipReasons, reason) ?? t.runStates[state]}
                </Text>
                {series && <SeriesProgress series={series} />}
              </Table.Td>
              <Table.Td>
                <JobLinks job_id={job_id} jobs={series?.jobs} />
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

/** What the jobs of a series have found so far, and why the series ended. */
function SeriesProgress({ series }: { series: NonNullable<Schemas['MonitorRun']['series']> }) {
  const t = useTexts(monitorsTexts)
  const { language } = useLanguage()
  const { jobs, found, cost, ended, estimate } = series
  return (
    <Text size="xs" c="dimmed">
      {t.seriesFound(jobs.length, found, credits(cost, language))} {estimate && t.seriesEstimate(estimate)}{' '}
      {ended && t.seriesEnds[ended]}
    </Text>
  )
}

/** Links to the job of a run, or to each job of its series. */
function JobLinks({ job_id, jobs }: { job_id: string | undefined; jobs: string[] | undefined }) {
  const t = useTexts(monitorsTexts)
  const linked = jobs ?? (job_id === undefined ? [] : [job_id])
  return linked.map((id, index) => (
    <Anchor key={id} component={Link} href={`/jobs/${id}`} inherit mr="xs">
      {jobs ? t.nthJob(index + 1) : t.toJob}
    </Anchor>
  ))
}
