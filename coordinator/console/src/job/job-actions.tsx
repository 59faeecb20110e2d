import { Button, Tooltip } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { isActive, type Job } from '../jobs/job-queries.ts'
import { useJobActions } from '../jobs/use-job-actions.ts'
import { ExportMenu } from '../parts/export-menu.tsx'
import { useFilters } from '../parts/search-params.ts'
import { jobTexts } from '../texts/job.ts'
import { useTexts } from '../texts/language.ts'
import { tiersIn } from './tier-facets.tsx'

/** The actions of a job. */
export function JobActions({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const [, navigate] = useLocation()
  const actions = useJobActions(job)
  return (
    <>
      <Export job={job} />
      {isActive(job) && (
        <Button
          variant="default"
          onClick={actions.cancel}
          loading={actions.cancelling}
          disabled={job.status === 'aborting'}
        >
          {t.cancel}
        </Button>
      )}
      <Button variant="default" onClick={actions.runAgain} loading={actions.creating}>
        {t.runAgain}
      </Button>
      <Button variant="default" component={Link} href={`/monitors/new?from=${job.id}`}>
        {t.monitor}
      </Button>
      <Button
        variant="default"
        onClick={() => {
          actions.remove()
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
