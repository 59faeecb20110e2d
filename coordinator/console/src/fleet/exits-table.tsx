import { Badge, Button, Text, Title } from '@mantine/core'
import { api, unwrap } from '../api/client.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { clockTime } from '../parts/formats.ts'
import { useAction } from '../parts/use-action.ts'
import { answersTexts } from '../texts/answers.ts'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { CheckExit, LastCheck } from './exit-check.tsx'
import { type Exit, FLEET_KEY, useExits } from './fleet-queries.ts'

/** The exits of the fleet: who shares each, its pace, whether and why it rests, and what the map site answers. */
export function ExitsTable() {
  const t = useTexts(fleetTexts)
  const { data: exits = [] } = useExits()
  const columns = useColumns()
  if (exits.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t.exits}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t.exitsHint}
      </Text>
      <DataTable
        dense
        label={t.exits}
        rows={exits}
        columns={columns}
        keyOf={({ id }) => id}
        below={({ check }) => check && <LastCheck check={check} />}
      />
    </section>
  )
}

function useColumns(): Column<Exit>[] {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const { verdicts: names } = useTexts(answersTexts)
  const number = (value: number) => value.toLocaleString(language)
  return [
    {
      title: t.exit,
      order: ({ name, id }) => name ?? id,
      breakable: true,
      className: 'name-cell',
      cell: (exit) => (
        <>
          <Text size="sm" fw={600}>
            {exit.name ?? t.proxy(exit.id)}
          </Text>
          <Text size="xs" c="dimmed">
            {[exit.pooled && t.pooled, exit.agents.join(', '), exit.known_by && t.knownBy[exit.known_by]]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </>
      ),
    },
    { title: t.state, order: ({ resting_until }) => resting_until, cell: (exit) => <State {...exit} /> },
    {
      title: t.rate,
      order: ({ rate_per_minute }) => rate_per_minute,
      figures: true,
      cell: ({ rate_per_minute, last_verdict }) =>
        rate_per_minute > 0 ? number(rate_per_minute) : last_verdict ? t.noLimit : '–',
    },
    {
      title: t.answers,
      from: 'sm',
      breakable: true,
      cell: ({ verdicts }) => (
        <Text size="xs" c="dimmed">
          {Object.entries(verdicts)
            .map(([verdict, count]) => `${number(count)} ${names[verdict] ?? verdict}`)
            .join(', ')}
        </Text>
      ),
    },
    {
      title: t.actions,
      actions: true,
      cell: (exit) => (
        <>
          {exit.resting_until !== undefined && <Wake exit={exit} />}
          {exit.pooled && <Remove id={exit.id} />}
          {exit.kind === 'direct' && exit.agents.length > 0 && <CheckExit exit={exit} />}
        </>
      ),
    },
  ]
}

function State({ resting_until, resting_reason, last_verdict }: Exit) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  if (!resting_until || !resting_reason) return <Text size="sm">{last_verdict ? t.sends : t.unused}</Text>
  return (
    <>
      <Badge color="yellow" variant="light" radius="sm" tt="none">
        {t.rests}
      </Badge>
      <Text size="xs" c="dimmed">
        {t.reasons[resting_reason]} {t.until(clockTime(resting_until, language))}
      </Text>
    </>
  )
}

/** Ends the rest of an exit, such as after a change of its address. */
function Wake({ exit: { id, name = id } }: { exit: Exit }) {
  const t = useTexts(fleetTexts)
  const wake = useAction(
    () => unwrap(api.POST('/api/v1/admin/exits/{id}/wake', { params: { path: { id } } })),
    FLEET_KEY,
  )
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={t.wakeExit(name)}
      loading={wake.isPending}
      onClick={() => wake.mutate(undefined)}
    >
      {t.wake}
    </Button>
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
