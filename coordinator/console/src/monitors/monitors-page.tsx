import { Anchor, Button, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { weekdayName } from '../parts/formats.ts'
import { Page } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime, Time } from '../parts/time.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { type Monitor, useMonitors } from './monitor-queries.ts'
import { dailyTime } from './schedule.ts'

/** The user's monitors: when they run, and how the last run ended. */
export default function MonitorsPage() {
  const t = useTexts(monitorsTexts)
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button component={Link} href="/monitors/new">
          {t.newTitle}
        </Button>
      }
    >
      <WithData query={useMonitors()}>{({ monitors }) => <MonitorsTable monitors={monitors} />}</WithData>
    </Page>
  )
}

function MonitorsTable({ monitors }: { monitors: Monitor[] }) {
  const t = useTexts(monitorsTexts)
  const columns: Column<Monitor>[] = [
    {
      title: t.name,
      order: ({ name }) => name,
      breakable: true,
      cell: ({ id, name, schedule }) => (
        <>
          <Anchor component={Link} href={`/monitors/${id}`} fw={600}>
            {name}
          </Anchor>
          <Text size="xs" c="dimmed">
            <ScheduleInWords schedule={schedule} />
          </Text>
        </>
      ),
    },
    {
      title: t.nextRun,
      order: ({ paused, next_runs: [next] }) => (paused ? undefined : next),
      cell: (monitor) => <NextRun {...monitor} />,
    },
    {
      title: t.lastRun,
      order: ({ last_run }) => last_run?.due_at,
      from: 'sm',
      cell: ({ last_run }) =>
        last_run === undefined ? (
          t.notYet
        ) : (
          <>
            <StatusBadge status={last_run.state} /> <Time at={last_run.due_at} />
          </>
        ),
    },
  ]
  return (
    <DataTable
      label={t.table}
      rows={monitors}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title={t.none} hint={t.noneHint} />}
    />
  )
}

function NextRun({ paused, next_runs: [next] }: Monitor) {
  const t = useTexts(monitorsTexts)
  if (paused) return <StatusBadge status="paused" />
  return next === undefined ? t.ended : <FullTime at={next} />
}

/** A schedule in words; as cron when it is neither daily nor weekly. */
export function ScheduleInWords({ schedule }: { schedule: Monitor['schedule'] }) {
  const t = useTexts(monitorsTexts)
  const { language } = useLanguage()
  if ('every' in schedule) return t.every(schedule.every)
  const daily = dailyTime(schedule)
  if (!daily) return `${schedule.cron} (${schedule.timezone})`
  const { time, weekday } = daily
  const words = weekday === undefined ? t.daily(time) : t.weekly(weekdayName(weekday, language), time)
  return `${words} (${schedule.timezone})`
}
