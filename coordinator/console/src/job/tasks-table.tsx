import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSeconds } from '../api/clock.ts'
import type { Job } from '../jobs/job-queries.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { clockTime, count, span } from '../parts/formats.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { timelineTexts } from '../texts/timeline.ts'
import { type Attempt, barOf, type Range, rangeOf, type Task, tookOf, verdictOf } from './timeline-rules.ts'

type TasksTableProps = {
  job: Job
  tasks: readonly Task[]
  /** What an operator can do with a failed task. */
  actionOf: ((task: Task, label: string) => ReactNode) | undefined
}

/** Each task in a row: what it does, its attempts in words, and when they ran as bars. */
export function TasksTable({ job, tasks, actionOf }: TasksTableProps) {
  const t = useTexts(timelineTexts)
  const now = useSeconds()
  const range = rangeOf(job, now)
  const columns: Column<Task>[] = [
    {
      title: t.task,
      breakable: true,
      cell: (task) => (
        <>
          <Text size="sm">
            <TaskLabel task={task} />
          </Text>
          {task.attempts.map((attempt) => (
            <AttemptLine key={attempt.number} attempt={attempt} now={now} />
          ))}
        </>
      ),
    },
    { title: t.state, cell: (task) => <State task={task} actionOf={actionOf} /> },
    { title: t.when, from: 'sm', width: '40%', cell: (task) => <Bars attempts={task.attempts} range={range} /> },
  ]
  return <DataTable dense label={t.title} rows={tasks} columns={columns} keyOf={({ id }) => id} />
}

/** What a task does, in words. */
export const TaskLabel = ({ task }: { task: Task }) => useTaskLabel(task)

function State({ task, actionOf }: { task: Task; actionOf: TasksTableProps['actionOf'] }) {
  const t = useTexts(timelineTexts)
  const { language } = useLanguage()
  const label = useTaskLabel(task)
  return (
    <>
      <StatusBadge status={task.state} />
      <Text size="xs" c="dimmed">
        {task.stored > 0 && t.stored(count(task.stored, language))}
        {task.not_before !== undefined && t.notBefore(clockTime(task.not_before, language))}
      </Text>
      {task.state === 'failed' && actionOf?.(task, label)}
    </>
  )
}

/** The name of a task in the language that is chosen. */
export function useTaskLabel(task: Task): string {
  const t = useTexts(timelineTexts)
  const { language } = useLanguage()
  if (task.kind === 'discover') return (task.audit ? t.audit : t.search)(task.keyword ?? '')
  return t.places(count(task.ordinal + 1, language))
}

/** One attempt in a line: how it ended, how long it took, and for operators where it ran. */
function AttemptLine({ attempt, now }: { attempt: Attempt; now: number }) {
  const t = useTexts(timelineTexts)
  const verdict = verdictOf(attempt)
  const facts = [
    t.attempt(attempt.number),
    verdict === undefined ? t.running : (t.verdicts[verdict] ?? verdict),
    span(tookOf(attempt, now)),
    attempt.agent !== undefined && t.agent(attempt.agent),
    attempt.exit !== undefined && t.exit(attempt.exit),
  ]
  return (
    <Text size="xs" c="dimmed">
      {facts.filter((fact) => fact !== false).join(' · ')}
      {attempt.detail !== undefined && <> · {attempt.detail}</>}
    </Text>
  )
}

const COLORS: Record<string, string> = { finished: 'teal', refused: 'orange', handed_back: 'gray', cancelled: 'gray' }

/** The attempts of a task as bars in the time of the job. The lines beside them say the same in words. */
function Bars({ attempts, range }: { attempts: readonly Attempt[]; range: Range }) {
  return (
    <Box className="timeline" aria-hidden="true">
      {attempts.map((attempt) => {
        const { left, width } = barOf(attempt, range)
        const color = attempt.result === undefined ? 'blue' : (COLORS[attempt.result] ?? 'red')
        return (
          <Box
            key={attempt.number}
            className="timeline-bar"
            bg={`${color}.6`}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
        )
      })}
    </Box>
  )
}
