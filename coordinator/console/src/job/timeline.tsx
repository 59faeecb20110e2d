import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Job } from '../jobs/job-queries.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { count } from '../parts/formats.ts'
import { useFilters } from '../parts/search-params.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { timelineTexts } from '../texts/timeline.ts'
import { type TaskState, tasksQuery } from './task-queries.ts'
import { TasksTable } from './tasks-table.tsx'
import type { Task } from './timeline-rules.ts'

const STATES = ['waiting', 'released', 'running', 'done', 'failed', 'cancelled'] as const

type TimelineProps = {
  job: Job
  /** Whether an operator looks at the job of any user. */
  any?: boolean
  /** What an operator can do with a failed task. */
  actionOf?: (task: Task, label: string) => ReactNode
}

/** The tasks of a job with their attempts: when each ran, for how long, and how it ended. */
export function Timeline({ job, any = false, actionOf }: TimelineProps) {
  const t = useTexts(timelineTexts)
  const { language } = useLanguage()
  const { params, set } = useFilters()
  const state = STATES.find((one) => one === params.get('tasks'))
  const query = useInfiniteQuery(tasksQuery(job, state, any))
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Text size="sm" c="dimmed">
          {t.done(count(job.progress.tasks_done, language), count(job.progress.tasks_total, language))} {t.lead}
        </Text>
        <StateChoice value={state} onChange={(chosen) => set({ tasks: chosen }, true)} />
      </Group>
      <WithData query={query}>
        {({ pages }) => {
          const tasks = pages.flatMap((page) => page.tasks)
          if (tasks.length === 0)
            return state ? <Empty title={t.noMatch} hint={t.noMatchHint} /> : <Empty title={t.none} hint={t.noneHint} />
          return <TasksTable job={job} tasks={tasks} actionOf={actionOf} />
        }}
      </WithData>
      {query.hasNextPage && (
        <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t.more}
        </Button>
      )}
    </Stack>
  )
}

type StateChoiceProps = { value: TaskState | undefined; onChange(state: TaskState | undefined): void }

function StateChoice({ value, onChange }: StateChoiceProps) {
  const t = useTexts(timelineTexts)
  return (
    <NativeSelect
      size="xs"
      label={t.shownStates}
      value={value ?? ''}
      data={[{ value: '', label: t.all }, ...STATES.map((state) => ({ value: state, label: t.states[state] }))]}
      onChange={({ currentTarget }) => onChange(STATES.find((state) => state === currentTarget.value))}
    />
  )
}
