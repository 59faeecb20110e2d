import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { FailedTasks } from './failed-tasks.tsx'

/** Tasks that failed in all their attempts, the latest first. */
export function DeadTasks() {
  const t = useTexts(operationsTexts)
  const dead = useQuery({
    queryKey: ['operations', 'dead'],
    queryFn: async () => (await unwrap(api.GET('/api/v1/admin/tasks/dead'))).tasks,
    refetchInterval: 10_000,
  })
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
