import { Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import type { Job } from '../jobs/job-queries.ts'
import { hasRest, isActive } from '../jobs/job-rules.ts'
import { useJobActions } from '../jobs/use-job-actions.tsx'
import { ExportMenu } from '../parts/export-menu.tsx'
import { useFilters } from '../parts/search-params.ts'
import { jobTexts } from '../texts/job.ts'
import { useTexts } from '../texts/language.ts'
import { tiersIn } from './tier-facets.tsx'

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
      {hasRest(job) && (
        <Button variant="default" component={Link} href={`/jobs/new?from=${job.id}&rest=1`}>
          {t.resume}
        </Button>
      )}
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

/** Downloads the shown places as a file, also those of a job that goes on. */
function Export({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { params } = useFilters()
  const tiers = tiersIn(params)
  const active = isActive(job)
  const filter = tiers.length > 0 && { web_presence: tiers.join(',') }
  const hints = [active && t.exportSoFar, filter && t.exportFiltered].filter((hint) => hint !== false)
  if (job.status === 'failed' || job.result_count === 0) return null
  return (
    <ExportMenu
      variant={active ? 'default' : 'filled'}
      label={t.export}
      hint={hints.length > 0 ? hints.join(' · ') : undefined}
      path={`/api/v1/jobs/${job.id}/download`}
      query={{ ...filter, ...(active && { so_far: 'true' }) }}
    />
  )
}
