import { Alert, Anchor, Grid, List, Tabs, Text } from '@mantine/core'
import { Link } from 'wouter'
import { WithData } from '../parts/data-states.tsx'
import { Page, Section } from '../parts/page.tsx'
import { choiceIn, useFilters } from '../parts/search-params.ts'
import { FullTime } from '../parts/time.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { Changes } from './changes.tsx'
import { MonitorActions } from './monitor-actions.tsx'
import { type Monitor, useMonitor } from './monitor-queries.ts'
import { MonitorSettings } from './monitor-settings.tsx'
import { ScheduleInWords } from './monitors-page.tsx'
import { Runs } from './runs.tsx'

/** One monitor: when it runs, what it found, its runs and its settings. */
export default function MonitorPage({ id }: { id: string }) {
  return <WithData query={useMonitor(id)}>{(monitor) => <MonitorView monitor={monitor} />}</WithData>
}

function MonitorView({ monitor }: { monitor: Monitor }) {
  const t = useTexts(monitorsTexts)
  const { params, set } = useFilters()
  return (
    <Page
      title={monitor.name}
      lead={<ScheduleInWords schedule={monitor.schedule} />}
      actions={<MonitorActions monitor={monitor} />}
    >
      <Anchor component={Link} href="/monitors" size="sm">
        ← {t.all}
      </Anchor>
      <MonitorState monitor={monitor} />
      <Tabs
        value={choiceIn(params, 'tab', ['changes', 'runs', 'settings'])}
        onChange={(tab) => set({ tab: tab === 'changes' ? undefined : (tab ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="changes">{t.changes}</Tabs.Tab>
          <Tabs.Tab value="runs">{t.runs}</Tabs.Tab>
          <Tabs.Tab value="settings">{t.settings}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="changes">
          <Changes monitor={monitor} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <Runs id={monitor.id} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <MonitorSettings monitor={monitor} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** The search of a monitor, and its next run or the reason of its pause. */
function MonitorState({ monitor: { job, paused, pause_reason, next_runs } }: { monitor: Monitor }) {
  const t = useTexts(monitorsTexts)
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, sm: 6 }}>
        <Section title={t.searches}>
          <Text className="breakable">{job.keywords.join(', ')}</Text>
          <Text size="sm" c="dimmed">
            {job.exhaust ? t.exhaustLead : t.atMost(job.max_results)} {job.only_new && t.onlyNewLead}
          </Text>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, sm: 6 }}>
        <Section title={t.nextRuns}>
          {paused && (
            <Alert color="orange" variant="light" title={t.pausedNow}>
              <span className="breakable">{pause_reason}</span>
            </Alert>
          )}
          {!paused && next_runs.length === 0 && <Text>{t.ended}</Text>}
          {next_runs.length > 0 && (
            <List size="sm" aria-label={t.nextRuns}>
              {next_runs.map((at) => (
                <List.Item key={at}>
                  <FullTime at={at} />
                </List.Item>
              ))}
            </List>
          )}
        </Section>
      </Grid.Col>
    </Grid>
  )
}
