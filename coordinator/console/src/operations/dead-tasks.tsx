import { useQuery } from '@tanstack/react-query'
import { Empty, WithData } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { FailedTasks } from './failed-tasks.tsx'
import { deadTasksQuery } from './operation-queries.ts'

/** Tasks that failed in all their attempts, the latest first. */
export function DeadTasks() {
  const t = useTexts(operationsTexts)
  const dead = useQuery(deadTasksQuery)
  return (
    <WithData query={dead}>
      {(tasks) =>
        tasks.length === 0 ? (
          <Empty title={t.noDead} hint={t.noDeadHint} />
        ) : (
          <FailedTasks tasks={tasks} title={t.tabs.dead} />
        )
      }
    </WithData>
  )
}
