import { Anchor, Box, Button, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime, Time } from '../parts/time.tsx'
import { weekdayName } from '../parts/time-format.ts'
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
      <WithData query={useMonitors()}>
        {({ monitors }) =>
          monitors.length === 0 ? <Empty title={t.none} hint={t.noneHint} /> : <MonitorsTable monitors={monitors} />
        }
      </WithData>
    </Page>
  )
}

function MonitorsTable({ monitors }: { monitors: Monitor[] }) {
  const t = useTexts(monitorsTexts)
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="sm" aria-label={t.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th>{t.nextRun}</Table.Th>
            <Table.Th visibleFrom="sm">{t.lastRun}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {monitors.map((monitor) => (
            <MonitorRow key={monitor.id} monitor={monitor} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

function MonitorRow({ monitor: { id, name, schedule, paused, next_runs, last_run } }: { monitor: Monitor }) {
  const t = useTexts(monitorsTexts)
  const [next] = next_runs
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        <Anchor component={Link} href={`/monitors/${id}`} fw={600}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          <ScheduleInWords schedule={schedule} />
        </Text>
      </Table.Td>
      <Table.Td>
        {paused && <StatusBadge status="paused" />}
        {!paused && (next === undefined ? t.ended : <FullTime at={next} />)}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {last_run === undefined ? (
          t.notYet
        ) : (
          <>
            <StatusBadge status={last_run.state} /> <Time at={last_run.due_at} />
          </>
        )}
      </Table.Td>
    </Table.Tr>
  )
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
