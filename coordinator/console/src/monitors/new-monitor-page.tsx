import { Anchor, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { type Job, jobQuery } from '../jobs/job-queries.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { useTexts } from '../texts/language.ts'
import { monitorsTexts } from '../texts/monitors.ts'
import { type MonitorDraft, newDraft, requestOf } from './draft.ts'
import { MonitorForm } from './monitor-form.tsx'
import { MONITORS_KEY } from './monitor-queries.ts'

/** Creates a monitor of the job with the id `?from=` in the URL. */
export default function NewMonitorPage() {
  const t = useTexts(monitorsTexts)
  const [params] = useSearchParams()
  const from = params.get('from') ?? ''
  const job = useQuery({ ...jobQuery(from), enabled: from !== '' })
  return (
    <Page title={t.newTitle} lead={t.lead}>
      {from === '' ? (
        <Empty title={t.noJob} hint={t.noneHint} />
      ) : (
        <WithData query={job}>{(data) => <NewMonitor job={data} />}</WithData>
      )}
    </Page>
  )
}

function NewMonitor({ job }: { job: Job }) {
  const t = useTexts(monitorsTexts)
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => newDraft(job))
  const create = useMutation({
    mutationFn: (sent: MonitorDraft) => unwrap(api.POST('/api/v1/monitors', { body: requestOf(job, sent) })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: MONITORS_KEY })
      navigate(`/monitors/${id}`)
    },
  })
  return (
    <MonitorForm
      draft={draft}
      action={t.create}
      asksProxies={job.data.proxy_count > 0}
      sent={create}
      isFree={job.data.demo === true}
      pending={create.isPending}
      onChange={setDraft}
      onSubmit={() => create.mutate(draft)}
    >
      <Text>
        {t.fromJob}{' '}
        <Anchor component={Link} href={`/jobs/${job.id}`} underline="always" className="breakable">
          {job.name}
        </Anchor>{' '}
        ({job.data.keywords.join(', ')})
      </Text>
    </MonitorForm>
  )
}
