import { Button, Table, Text } from '@mantine/core'
import { api, unwrap } from '../api/client.ts'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
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
export function CheckRow({ check: { asked_at, report } }: { check: Check }) {
  const t = useTexts(fleetTexts)
  return (
    <Table.Tr>
      <Table.Td colSpan={5}>
        {report ? (
          <Paths report={report} />
        ) : (
          <Text size="sm" c="dimmed" role="status">
            {t.checking} <Time at={asked_at} />
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function Paths({ report }: { report: Report }) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const causes = [...new Set(report.exits.flatMap((exit) => exit.causes))]
  return (
    <>
      <Text size="sm" c={report.healthy ? 'dimmed' : 'red'} role="status">
        {report.healthy ? t.allPathsWhole : causes.map((cause) => t.causes[cause]).join(' ')}{' '}
        <Time at={report.checked_at} />
      </Text>
      <Table aria-label={t.paths} className="figures" mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.rung}</Table.Th>
            <Table.Th>{t.door}</Table.Th>
            <Table.Th>{t.verdict}</Table.Th>
            <Table.Th ta="right">{t.status}</Table.Th>
            <Table.Th ta="right">ms</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.exits
            .flatMap(({ paths }) => paths)
            .map(({ rung, door, verdict, status, milliseconds, missing, note }) => (
              <Table.Tr key={`${rung} ${door}`}>
                <Table.Td>{t.rungs[rung]}</Table.Td>
                <Table.Td className="breakable">{door}</Table.Td>
                <Table.Td className="breakable">
                  {verdict}
                  {[note, missing.length > 0 ? t.without(missing.join(', ')) : undefined].map(
                    (text) =>
                      text && (
                        <Text key={text} size="xs" c="dimmed">
                          {text}
                        </Text>
                      ),
                  )}
                </Table.Td>
                <Table.Td ta="right">{status ?? '–'}</Table.Td>
                <Table.Td ta="right">{milliseconds.toLocaleString(language)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </>
  )
}
