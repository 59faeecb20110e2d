import { Button, Stack, Text } from '@mantine/core'
import { api, unwrap } from '../api/client.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { answersTexts } from '../texts/answers.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { type Exit, FLEET_KEY } from './fleet-queries.ts'

type Check = NonNullable<Exit['check']>
type Report = NonNullable<Check['report']>

/** Lets an agent of the exit check the paths to the map site. */
export function CheckExit({ exit }: { exit: Exit }) {
  const t = useTexts(fleetTexts)
  const check = useAction(
    () => unwrap(api.POST('/api/v1/admin/exits/{id}/check', { params: { path: { id: exit.id } } })),
    FLEET_KEY,
  )
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={t.checkExit(exit.name ?? exit.id)}
      loading={check.isPending}
      onClick={() => check.mutate(undefined)}
    >
      {t.check}
    </Button>
  )
}

/** The last check of an exit: what its rungs got, or that it is under way. */
export function LastCheck({ check: { asked_at, report } }: { check: Check }) {
  const t = useTexts(fleetTexts)
  if (report) return <Paths report={report} />
  return (
    <Text size="sm" c="dimmed" role="status">
      {t.checking} <Time at={asked_at} />
    </Text>
  )
}

type Path = Report['exits'][number]['paths'][number]

function Paths({ report }: { report: Report }) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const { verdicts: names } = useTexts(answersTexts)
  const causes = [...new Set(report.exits.flatMap((exit) => exit.causes))]
  const columns: Column<Path>[] = [
    { title: t.rung, cell: ({ rung }) => t.rungs[rung] },
    { title: t.door, breakable: true, cell: ({ door }) => door },
    {
      title: t.verdict,
      breakable: true,
      cell: ({ verdict, missing, note }) => (
        <>
          {names[verdict] ?? verdict}
          {[note, missing.length > 0 ? t.without(missing.join(', ')) : undefined].map(
            (text) =>
              text && (
                <Text key={text} size="xs" c="dimmed">
                  {text}
                </Text>
              ),
          )}
        </>
      ),
    },
    { title: t.status, figures: true, cell: ({ status }) => status ?? '–' },
    { title: 'ms', figures: true, cell: ({ milliseconds }) => milliseconds.toLocaleString(language) },
  ]
  return (
    <Stack gap="xs">
      <Text size="sm" c={report.healthy ? 'dimmed' : 'red'} role="status">
        {report.healthy ? t.allPathsWhole : causes.map((cause) => t.causes[cause]).join(' ')}{' '}
        <Time at={report.checked_at} />
      </Text>
      <DataTable
        dense
        label={t.paths}
        rows={report.exits.flatMap(({ paths }) => paths)}
        columns={columns}
        keyOf={({ rung, door }) => `${rung} ${door}`}
      />
    </Stack>
  )
}
