import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useLocation } from 'wouter'
import { messageOf } from '../parts/data-states.tsx'
import { commonTexts } from '../texts/common.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.tsx'
import { canRunAgain, isActive, type Job, useCancelJob, useRunAgain } from './job-queries.ts'
import { useDeleteJob } from './use-delete-job.tsx'

/** The actions of a job in the list. */
export function JobMenu({ job }: { job: Job }) {
  const t = useTexts(jobsTexts)
  const common = useTexts(commonTexts)
  const [, navigate] = useLocation()
  const cancel = useCancelJob()
  const runAgain = useRunAgain()
  const remove = useDeleteJob()
  const onError = (error: unknown) =>
    notifications.show({ color: 'red', title: common.failed, message: messageOf(error, common.noConnection) })
  const again = () => {
    if (!canRunAgain(job)) navigate(`/jobs/new?from=${job.id}`)
    else runAgain.mutate(job, { onError, onSuccess: (id) => navigate(`/jobs/${id}`) })
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(job.name)}>
          <span aria-hidden="true">⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isActive(job) && (
          <Menu.Item onClick={() => cancel.mutate(job.id, { onError })} disabled={job.status === 'aborting'}>
            {t.cancel}
          </Menu.Item>
        )}
        {!job.demo && <Menu.Item onClick={again}>{t.runAgain}</Menu.Item>}
        <Menu.Item color="red" onClick={() => remove(job)}>
          {t.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
