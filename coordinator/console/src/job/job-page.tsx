import { Anchor, Group, Stack, Tabs, Text } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useSeconds } from '../api/clock.ts'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import { AfterDemo } from '../jobs/first-steps.tsx'
import { costsQuery, JOBS_KEY, type Job, jobQuery } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { DemoBadge, JobProgress } from '../jobs/job-state.tsx'
import { WithData } from '../parts/data-states.tsx'
import { count, credits, span } from '../parts/formats.ts'
import { Page } from '../parts/page.tsx'
import { choiceIn, useFilters } from '../parts/search-params.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
import { sessionQuery } from '../session/session.ts'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { FailureReason } from './failure-reason.tsx'
import { JobActions } from './job-actions.tsx'
import { JobDeliveries } from './job-deliveries.tsx'
import { followJob } from './job-events.ts'
import { JobSettings } from './job-settings.tsx'
import { OutcomesAndCosts } from './outcomes-and-costs.tsx'
import { Places } from './places.tsx'
import { statusSentence } from './status-sentence.ts'
import { Timeline } from './timeline.tsx'

/**
 * Reads one job and keeps it up to date until it ends. A visible tab follows the event stream, and polls every two
 * seconds while it gets no events. A hidden tab does neither.
 */
function useJob(id: string) {
  const queries = useQueryClient()
  const [live, setLive] = useState(false)
  const visible = useDocumentVisibility() === 'visible'
  const job = useQuery({
    ...jobQuery(id),
    refetchInterval: ({ state }) => (live || (state.data && !isActive(state.data)) ? false : ACTIVE_POLL_MS),
  })
  const follows = visible && job.data !== undefined && isActive(job.data)
  useEffect(() => {
    if (!follows) return
    const { queryKey } = jobQuery(id)
    return followJob(id, {
      onLive: setLive,
      onProgress: ({ type: _, ...changes }) => {
        void queries.cancelQueries({ queryKey, exact: true }) // an answer in flight is older
        queries.setQueryData(queryKey, (before) => before && { ...before, ...changes })
      },
      onEnd: () => void queries.invalidateQueries({ queryKey: JOBS_KEY }),
    })
  }, [follows, id, queries])
  return job
}

const TABS = ['places', 'tasks', 'outcomes', 'deliveries', 'settings'] as const

/** One job: its state, its places, the outcomes of the others, and its cost. */
export default function JobPage({ id }: { id: string }) {
  return <WithData query={useJob(id)}>{(data) => <JobView job={data} />}</WithData>
}

function JobView({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { params, set } = useFilters()
  const tab = choiceIn(params, 'tab', TABS)
  return (
    <Page title={job.name} lead={job.data.keywords.join(', ')} actions={<JobActions job={job} />}>
      <JobNow job={job} />
      <Tabs
        value={tab}
        onChange={(value) => set({ tab: value === 'places' ? undefined : (value ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="places">
          <Places job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="tasks">
          <Timeline job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="outcomes">
          <OutcomesAndCosts job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <JobDeliveries job={job} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <JobSettings job={job} />
        </Tabs.Panel>
      </Tabs>
      {job.data.demo && !job.monitor_id && !isActive(job) && <AfterDemo job={job} />}
    </Page>
  )
}

/** The status, its meaning in a sentence, the progress, and the figures in a line. */
function JobNow({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { language } = useLanguage()
  return (
    <Stack gap="xs">
      <Group gap="sm" role="status">
        <StatusBadge status={job.status} size="lg" />
        <Text>{statusSentence(job, t, language)}</Text>
        {job.data.demo && <DemoBadge />}
        {job.progress.waiting_reason === 'blocked' && <AddProxies job={job} />}
      </Group>
      {job.status === 'failed' && job.failure_reason && <FailureReason reason={job.failure_reason} />}
      {isActive(job) && <JobProgress job={job} size="lg" />}
      <JobFigures job={job} />
    </Stack>
  )
}

/** How to go on while the map site blocks: an operator adds proxies for all jobs, another user brings their own. */
function AddProxies({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { data: session } = useQuery(sessionQuery)
  const isOperator = session?.user.role === 'operator'
  return (
    <Anchor component={Link} href={isOperator ? '/fleet' : `/jobs/new?from=${job.id}`}>
      {isOperator ? t.addProxies : t.withProxies}
    </Anchor>
  )
}

/** The places, the cost and the times of a job, in one line. */
function JobFigures({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { language } = useLanguage()
  const most = useMostCost(job)
  const { progress } = job
  const found = isActive(job) ? t.foundOf(count(progress.discovered, language)) : ''
  return (
    <Group component="section" aria-label={t.figures} gap="md" className="figures">
      <Text size="sm">
        {t.placesNow(job.result_count, count(job.result_count, language))} {found}
      </Text>
      <Text size="sm">
        {t.spentNow(credits(job.total_cost, language))} {most !== undefined && t.ofAtMost(credits(most, language))}
      </Text>
      <Text size="sm" c="dimmed">
        <Took job={job} />
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {t.created} <FullTime at={job.created_at} />
      </Text>
      {job.monitor_id !== undefined && (
        <Anchor component={Link} href={`/monitors/${job.monitor_id}`} size="sm">
          {t.runOfMonitor}
        </Anchor>
      )}
    </Group>
  )
}

/** Returns what a job may cost at most. Undefined until it is known, and for a demo job. */
function useMostCost(job: Job): string | undefined {
  return useQuery({ ...costsQuery(job.id), enabled: !job.data.demo, staleTime: 'static' }).data?.held_credits
}

/** How long a job took, or has taken so far by the clock of the coordinator. */
function Took({ job: { started_at, ended_at } }: { job: Job }) {
  const t = useTexts(jobTexts)
  const now = useSeconds()
  if (!started_at) return null
  const end = ended_at === undefined ? now : new Date(ended_at).getTime()
  return `${t.took} ${span(end - new Date(started_at).getTime())}`
}
