import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { api, isRefusal, unwrap } from '../api/client.ts'
import { messageOf } from '../parts/data-states.tsx'
import { commonTexts } from '../texts/common.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import { deleteLater, keep, UNDO_MS } from './deletions.ts'
import { JOBS_KEY, type Job } from './job-queries.ts'

/** Deletes a job after a few seconds in which the user can undo it. */
export function useDeleteJob(): (job: Pick<Job, 'id' | 'name'>) => void {
  const t = useTexts(jobsTexts)
  const common = useTexts(commonTexts)
  const queries = useQueryClient()
  return ({ id, name }) => {
    const send = async () => {
      try {
        await unwrap(api.DELETE('/api/v1/jobs/{id}', { params: { path: { id } }, keepalive: true }))
      } catch (error) {
        if (!(isRefusal(error) && error.status === 404)) {
          keep(id)
          notifications.show({ color: 'red', title: common.failed, message: messageOf(error, common.noConnection) })
        }
      }
      await queries.invalidateQueries({ queryKey: JOBS_KEY })
    }
    deleteLater(id, () => void send())
    const undo = () => {
      keep(id)
      notifications.hide(id)
    }
    notifications.show({
      id,
      autoClose: UNDO_MS,
      title: t.removed(name),
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t.removedHint}</Text>
          <Button size="xs" variant="default" flex="none" onClick={undo}>
            {t.undo}
          </Button>
        </Group>
      ),
    })
  }
}
