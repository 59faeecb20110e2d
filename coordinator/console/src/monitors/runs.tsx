import { Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { count, creditsInColumn, span } from '../parts/formats.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
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

type Run = Schemas['MonitorRun']

function RunsTable({ runs }: { runs: Run[] }) {
  const t = useTexts(monitorsTexts)
  const { language } = useLanguage()
  const figures = (title: string, numberOf: (run: Run) => number): Column<Run> => ({
    title,
    figures: true,
    cell: (run) => (run.job_id === undefined ? '–' : count(numberOf(run), language)),
  })
  const columns: Column<Run>[] = [
    { title: t.due, cell: ({ due_at }) => <FullTime at={due_at} /> },
    {
      title: t.result,
      cell: ({ state, reason }) => (
        <>
          <StatusBadge status={state} />
          <Text size="xs" c="dimmed" className="breakable">
            {reasonText(t.skipReasons, reason) ?? t.runStates[state]}
          </Text>
        </>
      ),
    },
    figures(t.places, (run) => run.places),
    figures(t.newPlaces, (run) => run.new + run.back),
    { ...figures(t.changedPlaces, (run) => run.changed), from: 'sm' },
    figures(t.gonePlaces, (run) => run.gone),
    {
      title: t.cost,
      figures: true,
      from: 'sm',
      cell: ({ job_id, cost }) => (job_id === undefined ? '–' : creditsInColumn(cost, language)),
    },
    { title: t.took, from: 'sm', cell: tookOf },
    {
      title: t.job,
      cell: ({ job_id }) =>
        job_id !== undefined && (
          <Anchor component={Link} href={`/jobs/${job_id}`} inherit>
            {t.toJob}
          </Anchor>
        ),
    },
  ]
  return <DataTable dense label={t.runs} rows={runs} columns={columns} keyOf={({ due_at }) => due_at} />
}

const tookOf = ({ started_at, ended_at }: Run): string =>
  started_at && ended_at ? span(Date.parse(ended_at) - Date.parse(started_at)) : '–'

/** Returns why a run was skipped or failed, translated if it is one of the usual reasons. */
function reasonText(texts: Readonly<Record<string, string>>, reason: string | undefined): string | undefined {
  return texts[reason?.split(':', 1)[0] ?? ''] ?? reason
}
