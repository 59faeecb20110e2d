import { ActionIcon, Menu } from '@mantine/core'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import type { Job } from './job-queries.ts'
import { isActive } from './job-rules.ts'
import { useJobActions } from './use-job-actions.ts'

/** The actions of a job in the list. */
export function JobMenu({ job }: { job: Job }) {
  const t = useTexts(jobsTexts)
  const actions = useJobActions(job)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.actionsOf(job.name)}>
          <span aria-hidden="true">⋯</span>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isActive(job) && (
          <Menu.Item onClick={actions.cancel} disabled={job.status === 'aborting'}>
            {t.cancel}
          </Menu.Item>
        )}
        <Menu.Item onClick={actions.runAgain}>{t.runAgain}</Menu.Item>
        <Menu.Item color="red" onClick={actions.remove}>
          {t.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
