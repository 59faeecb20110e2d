import { Button, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link, useLocation } from 'wouter'
import { canRunAgain, isActive, type Job, useCancelJob, useRunAgain } from '../jobs/job-queries.ts'
import { useDeleteJob } from '../jobs/use-delete-job.tsx'
import { messageOf } from '../parts/data-states.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { useFilters } from '../parts/search-params.ts'
import { commonTexts } from '../texts/common.ts'
import { jobTexts } from '../texts/job.ts'
import { useTexts } from '../texts/language.tsx'
import { tiersIn } from './tier-facets.tsx'

/** The actions of a job. */
export function JobActions({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
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
    <>
      <Export job={job} />
      {isActive(job) && (
        <Button
          variant="default"
          onClick={() => cancel.mutate(job.id, { onError })}
          loading={cancel.isPending}
          disabled={job.status === 'aborting'}
        >
          {t.cancel}
        </Button>
      )}
      {!job.demo && (
        <Button variant="default" onClick={again} loading={runAgain.isPending}>
          {t.runAgain}
        </Button>
      )}
      {!job.demo && (
        <Button variant="default" component={Link} href={`/monitors/new?from=${job.id}`}>
          {t.monitor}
        </Button>
      )}
      <Button
        variant="default"
        onClick={() => {
          remove(job)
          navigate('/jobs')
        }}
      >
        {t.remove}
      </Button>
    </>
  )
}

/** Downloads the shown places as a file. */
function Export({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { params } = useFilters()
  const tiers = tiersIn(params)
  if (isActive(job)) {
    return (
      <Tooltip label={t.exportLater}>
        <Button variant="default" data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()}>
          {t.export}
        </Button>
      </Tooltip>
    )
  }
  return (
    <ExportMenu
      variant="filled"
      label={t.export}
      hint={tiers.length > 0 ? t.exportFiltered : undefined}
      path={`/api/v1/jobs/${job.id}/download`}
      query={tiers.length > 0 ? { web_presence: tiers.join(',') } : {}}
    />
  )
}
