import { Anchor, Button, SimpleGrid, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { FailureReason } from '../job/failure-reason.tsx'
import { statusSentence } from '../job/status-sentence.ts'
import { TASKS_KEY } from '../job/task-queries.ts'
import { Timeline } from '../job/timeline.tsx'
import { hasRest, isActive } from '../jobs/job-rules.ts'
import { WithData } from '../parts/data-states.tsx'
import { count, credits } from '../parts/formats.ts'
import { Figure, Page } from '../parts/page.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { FullTime } from '../parts/time.tsx'
import { useAction } from '../parts/use-action.ts'
import { allJobsTexts } from '../texts/all-jobs.ts'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { timelineTexts } from '../texts/timeline.ts'
import { anyJobQuery } from './operation-queries.ts'

/** A job of any user, for operators: its state and its tasks. Its places belong to its user. */
export default function AnyJobPage({ id }: { id: string }) {
  return <WithData query={useQuery(anyJobQuery(id))}>{(job) => <AnyJob job={job} />}</WithData>
}

function AnyJob({ job }: { job: Schemas['AnyJob'] }) {
  const t = useTexts(allJobsTexts)
  const texts = useTexts(jobTexts)
  const { language } = useLanguage()
  return (
    <Page title={job.name} lead={t.of(job.email ?? job.user_id)}>
      <Anchor component={Link} href="/operations?tab=jobs" size="sm">
        ← {t.back}
      </Anchor>
      <Text component="div">
        <StatusBadge status={job.status} size="lg" /> {statusSentence(job, texts, language)}
      </Text>
      {job.status === 'failed' && job.failure_reason && <FailureReason reason={job.failure_reason} />}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Figure label={texts.places} value={count(job.result_count, language)} />
        <Figure label={texts.spent} value={credits(job.total_cost, language)} />
        <Figure
          label={texts.tasks}
          value={count(job.progress.tasks_done, language)}
          hint={texts.tasksOf(count(job.progress.tasks_total, language))}
        />
        <Figure
          label={texts.created}
          value={
            <Text size="sm" component="div">
              <FullTime at={job.created_at} />
            </Text>
          }
        />
      </SimpleGrid>
      {hasRest(job) && <Text size="sm">{t.restOfEnded}</Text>}
      <Timeline job={job} any actionOf={(task, label) => isActive(job) && <Retry id={task.id} label={label} />} />
    </Page>
  )
}

/** Gives a failed task all its attempts again. */
function Retry({ id, label }: { id: string; label: string }) {
  const t = useTexts(timelineTexts)
  const texts = useTexts(allJobsTexts)
  const retry = useAction(
    () => unwrap(api.POST('/api/v1/admin/tasks/{id}/retry', { params: { path: { id } } })),
    TASKS_KEY,
  )
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={t.retryOf(label)}
      loading={retry.isPending}
      onClick={() => retry.mutate(undefined, { onSuccess: () => notifications.show({ message: texts.retrying }) })}
    >
      {t.retry}
    </Button>
  )
}
