import { Anchor, Text } from '@mantine/core'
import { firstOf } from '@placefleet/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { monitors } from '../api/client.ts'
import { type Job, jobQuery } from '../jobs/job-queries.ts'
import { EstimatePanel } from '../new-job/estimate-panel.tsx'
import { WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { emptyDraft, type MonitorDraft, monitorRequestOf, newMonitorDraft } from './draft.ts'
import { MonitorForm } from './monitor-form.tsx'
import { MONITORS_KEY } from './monitor-queries.ts'

/** Creates a monitor: with the settings of the job with the id `?from=` in the URL, or without a job. */
export default function NewMonitorPage() {
  const t = useTexts(monitorsTexts)
  const { language } = useLanguage()
  const [params] = useSearchParams()
  const from = params.get('from') ?? ''
  const job = useQuery({ ...jobQuery(from), enabled: from !== '' })
  return (
    <Page title={t.newTitle} lead={t.lead}>
      {from === '' ? (
        <NewMonitor start={emptyDraft(language)} isNew>
          <Text>{t.scratchLead}</Text>
          <Text size="sm" c="dimmed">
            {t.fromJobLink}
          </Text>
        </NewMonitor>
      ) : (
        <WithData query={job}>{(data) => <MonitorOfJob job={data} />}</WithData>
      )}
    </Page>
  )
}

function MonitorOfJob({ job }: { job: Job }) {
  const t = useTexts(monitorsTexts)
  return (
    <NewMonitor start={newMonitorDraft(job)} asksProxies={job.data.proxy_count > 0} isFree={job.data.demo === true}>
      <Text>
        {t.fromJob}{' '}
        <Anchor component={Link} href={`/jobs/${job.id}`} underline="always" className="breakable">
          {job.name}
        </Anchor>{' '}
        ({job.data.keywords.join(', ')})
      </Text>
    </NewMonitor>
  )
}

type NewMonitorProps = {
  start: MonitorDraft
  isNew?: boolean
  asksProxies?: boolean
  isFree?: boolean
  children: ReactNode
}

function NewMonitor({ start, isNew = false, asksProxies = false, isFree = false, children }: NewMonitorProps) {
  const t = useTexts(monitorsTexts)
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(start)
  const create = useMutation({
    mutationFn: (sent: MonitorDraft) =>
      firstOf(monitors.createInParts(monitorRequestOf(sent)), Number.POSITIVE_INFINITY),
    onSuccess: async ([monitor, ...others]) => {
      await queries.invalidateQueries({ queryKey: MONITORS_KEY })
      navigate(monitor && others.length === 0 ? `/monitors/${monitor.id}` : '/monitors')
    },
  })
  return (
    <MonitorForm
      draft={draft}
      action={t.create}
      asksProxies={asksProxies}
      isNew={isNew}
      sent={create}
      isFree={isFree}
      pending={create.isPending}
      onChange={setDraft}
      onSubmit={() => create.mutate(draft)}
      estimate={!isFree && <EstimatePanel draft={draft.job} />}
    >
      {children}
    </MonitorForm>
  )
}
