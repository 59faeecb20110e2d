import { Badge, Box, Button, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { api, unwrap } from '../api/client.ts'
import { Time } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { CheckExit, CheckRow } from './exit-check.tsx'
import { type Exit, FLEET_KEY, useExits } from './fleet-queries.ts'

/** The exits of the fleet: who shares each, its pace, whether and why it rests, and what the map site answers. */
export function ExitsTable() {
  const t = useTexts(fleetTexts)
  const { data: exits = [] } = useExits()
  if (exits.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t.exits}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t.exitsHint}
      </Text>
      <Box className="panel table-scroll">
        <Table aria-label={t.exits} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.exit}</Table.Th>
              <Table.Th>{t.state}</Table.Th>
              <Table.Th ta="right">{t.rate}</Table.Th>
              <Table.Th visibleFrom="sm">{t.answers}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t.actions}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {exits.map((exit) => (
              <ExitRows key={exit.id} exit={exit} />
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </section>
  )
}

function ExitRows({ exit }: { exit: Exit }) {
  return (
    <>
      <ExitRow exit={exit} />
      {exit.check && <CheckRow check={exit.check} />}
    </>
  )
}

function ExitRow({ exit }: { exit: Exit }) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const { resting_until, resting_reason } = exit
  const number = (value: number) => value.toLocaleString(language)
  return (
    <Table.Tr>
      <Table.Td className="breakable name-cell">
        <Text size="sm" fw={600}>
          {exit.name ?? t.proxy(exit.id)}
        </Text>
        <Text size="xs" c="dimmed">
          {[exit.pooled && t.pooled, exit.agents.join(', '), exit.known_by && t.knownBy[exit.known_by]]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td>
        {resting_until && resting_reason ? (
          <>
            <Badge color="yellow" variant="light" radius="sm" tt="none">
              {t.rests}
            </Badge>
            <Text size="xs" c="dimmed">
              {t.reasons[resting_reason]} <Time at={resting_until} />
            </Text>
          </>
        ) : (
          <Text size="sm">{exit.last_verdict ? t.sends : t.unused}</Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="figures">
        {exit.rate_per_minute > 0 ? number(exit.rate_per_minute) : exit.last_verdict ? t.noLimit : '–'}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="breakable">
        <Text size="xs" c="dimmed">
          {Object.entries(exit.verdicts)
            .map(([verdict, count]) => `${verdict} ${number(count)}`)
            .join(', ')}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {exit.pooled && <Remove id={exit.id} />}
        {exit.kind === 'direct' && exit.agents.length > 0 && <CheckExit exit={exit} />}
      </Table.Td>
    </Table.Tr>
  )
}

function Remove({ id }: { id: string }) {
  const t = useTexts(fleetTexts)
  const remove = useAction(
    () => unwrap(api.DELETE('/api/v1/admin/exits/{id}', { params: { path: { id } } })),
    FLEET_KEY,
  )
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      aria-label={t.removeProxy(id)}
      loading={remove.isPending}
      onClick={() => remove.mutate(undefined)}
    >
      {t.remove}
    </Button>
  )
}
