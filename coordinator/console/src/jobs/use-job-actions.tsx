import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { isGone, messageOf } from '../api/errors.ts'
import { commonTexts } from '../texts/common.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import { deletions } from './deletions.ts'
import { JOBS_KEY, type Job, useCancelJob, useRunAgain } from './job-queries.ts'

/** Returns the actions of a job: cancel it, run it again, and remove it with some seconds to undo that. */
export function useJobActions(job: Job) {
  const [, navigate] = useLocation()
  const cancel = useCancelJob()
  const repeat = useRunAgain()
  const remove = useDeleteJob()
  return {
    cancel: () => cancel.mutate(job.id),
    cancelling: cancel.isPending,
    /** Opens the new job. A job with proxies opens the form instead, because the API never shows proxies. */
    runAgain: () => {
      if (job.data.proxy_count > 0) navigate(`/jobs/new?from=${job.id}`)
      else repeat.mutate(job, { onSuccess: (id) => navigate(`/jobs/${id}`) })
    },
    creating: repeat.isPending,
    remove: () => remove(job),
  }
}

/** Deletes a job after a few seconds in which the user can undo it. */
function useDeleteJob(): (job: Pick<Job, 'id' | 'name'>) => void {
  const t = useTexts(jobsTexts)
  const common = useTexts(commonTexts)
  const queries = useQueryClient()
  return ({ id, name }) => {
    const undo = () => {
      deletions.keep(id)
      notifications.hide(id)
    }
    const send = async () => {
      notifications.hide(id) // what is sent cannot be undone
      try {
        await unwrap(api.DELETE('/api/v1/jobs/{id}', { params: { path: { id } }, keepalive: true }))
      } catch (error) {
        if (!isGone(error)) {
          deletions.keep(id)
          notifications.show({ color: 'red', title: t.notRemoved(name), message: messageOf(error, common) })
        }
      }
      await queries.invalidateQueries({ queryKey: JOBS_KEY })
    }
    deletions.begin(id, send)
    notifications.show({
      id,
      autoClose: false,
      withCloseButton: false,
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
