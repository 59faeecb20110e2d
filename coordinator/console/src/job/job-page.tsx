import { Group, Paper, SimpleGrid, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { AfterDemo } from '../jobs/first-steps.tsx'
import { isActive, JOBS_KEY, type Job } from '../jobs/job-queries.ts'
import { DemoBadge, JobProgress } from '../jobs/job-state.tsx'
import { WithData } from '../parts/data-states.tsx'
import { count, credits, Figure } from '../parts/figure.tsx'
import { Page } from '../parts/page.tsx'
import { useFilters } from '../parts/search-params.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime, span } from '../parts/time.tsx'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { FailureReason } from './failure-reason.tsx'
import { JobActions } from './job-actions.tsx'
import { JobDeliveries } from './job-deliveries.tsx'
import { JobSettings } from './job-settings.tsx'
import { OutcomesAndCosts } from './outcomes-and-costs.tsx'
import { Places } from './places.tsx'
import { statusSentence } from './status-sentence.ts'
import { useJob } from './use-job.ts'

/** One job: its state, its places, the outcomes of the others, and its cost. */
export default function JobPage({ id }: { id: string }) {
  return <WithData query={useJob(id)}>{(data) => <JobView job={data} />}</WithData>
}

function JobView({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { params, set } = useFilters()
  const tab = params.get('tab') ?? 'places'
  return (
    <Page title={job.name} lead={job.data.keywords.join(', ')} actions={<JobActions job={job} />}>
      <JobNow job={job} />
      {job.data.demo && !job.monitor_id && !isActive(job) && <AfterDemo job={job} />}
      <Tabs
        value={tab}
        onChange={(value) => set({ tab: value === 'places' ? undefined : (value ?? undefined) })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {(['places', 'outcomes', 'deliveries', 'settings'] as const).map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="places">
          <Places job={job} />
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
    </Page>
  )
}

/** The status, its meaning in a sentence, and the progress. */
function JobNow({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { language } = useLanguage()
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <Group gap="sm" role="status">
          <StatusBadge status={job.status} size="lg" />
          <Text>{statusSentence(job, t, language)}</Text>
          {job.data.demo && <DemoBadge />}
        </Group>
        {job.status === 'failed' && job.failure_reason && <FailureReason reason={job.failure_reason} />}
        {isActive(job) && <JobProgress job={job} size="lg" />}
        <JobFigures job={job} />
      </Stack>
    </Paper>
  )
}

function JobFigures({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { language } = useLanguage()
  const held = useHeld(job)
  const { progress } = job
  const took = job.started_at && new Date(job.ended_at ?? Date.now()).getTime() - new Date(job.started_at).getTime()
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure
        label={t.places}
        value={count(job.result_count, language)}
        hint={isActive(job) ? t.foundOf(count(progress.discovered, language)) : undefined}
      />
      <Figure
        label={t.spent}
        value={credits(job.total_cost, language)}
        hint={held === undefined ? undefined : t.heldOf(credits(held, language))}
      />
      <Figure
        label={t.tasks}
        value={count(progress.tasks_done, language)}
        hint={t.tasksOf(count(progress.tasks_total, language))}
      />
      <Figure
        label={t.created}
        value={
          <Text size="sm" component="div">
            <FullTime at={job.created_at} />
          </Text>
        }
        hint={took && `${t.took} ${span(took)}`}
      />
    </SimpleGrid>
  )
}

/** Returns the credits held for a job when it was created. Undefined until they are known, and for a demo job. */
function useHeld({ id, data }: Job): string | undefined {
  const costs = useQuery({
    queryKey: [...JOBS_KEY, id, 'held'],
    queryFn: () => unwrap(api.GET('/api/v1/jobs/{id}/costs', { params: { path: { id } } })),
    enabled: !data.demo,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return costs.data?.held_credits
}
