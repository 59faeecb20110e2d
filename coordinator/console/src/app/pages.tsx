import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, Redirect, Route, Switch } from 'wouter'
import { latestJobQuery } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { lazyChunk } from '../parts/chunk.ts'
import { Empty, Failure, Loading } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import type { Session } from '../session/session.ts'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'

// Each page is a chunk, so the first load contains only the code of the first page.
const JobsPage = lazyChunk(() => import('../jobs/jobs-page.tsx'))
const JobPage = lazyChunk(() => import('../job/job-page.tsx'))
const NewJobPage = lazyChunk(() => import('../new-job/new-job-page.tsx'))
const MonitorsPage = lazyChunk(() => import('../monitors/monitors-page.tsx'))
const NewMonitorPage = lazyChunk(() => import('../monitors/new-monitor-page.tsx'))
const MonitorPage = lazyChunk(() => import('../monitors/monitor-page.tsx'))
const KnownPlacesPage = lazyChunk(() => import('../known-places/known-places-page.tsx'))
const KeysPage = lazyChunk(() => import('../keys/keys-page.tsx'))
const CreditsPage = lazyChunk(() => import('../credits/credits-page.tsx'))
const WebhooksPage = lazyChunk(() => import('../webhooks/webhooks-page.tsx'))
const WebhookPage = lazyChunk(() => import('../webhooks/webhook-page.tsx'))
const ConnectPage = lazyChunk(() => import('../connect/connect-page.tsx'))
const AccountPage = lazyChunk(() => import('../account/account-page.tsx'))
const SupportPage = lazyChunk(() => import('../support/support-page.tsx'))
const FleetPage = lazyChunk(() => import('../fleet/fleet-page.tsx'))
const AgentPage = lazyChunk(() => import('../fleet/agent-page.tsx'))
const AnyJobPage = lazyChunk(() => import('../operations/any-job-page.tsx'))
const OperationsPage = lazyChunk(() => import('../operations/operations-page.tsx'))

/** The page of the current path. */
export function Pages({ session }: { session: Session }) {
  const operator = session.user.role === 'operator'
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/sign-in" component={Home} />
        <Route path="/jobs" component={JobsPage} />
        <Route path="/jobs/new" component={NewJobPage} />
        <Route path="/jobs/:id">{({ id }) => <JobPage id={id} key={id} />}</Route>
        <Route path="/monitors" component={MonitorsPage} />
        <Route path="/monitors/new" component={NewMonitorPage} />
        <Route path="/monitors/:id">{({ id }) => <MonitorPage id={id} key={id} />}</Route>
        <Route path="/known-places" component={KnownPlacesPage} />
        <Route path="/keys" component={KeysPage} />
        <Route path="/credits" component={CreditsPage} />
        <Route path="/webhooks" component={WebhooksPage} />
        <Route path="/webhooks/:id">{({ id }) => <WebhookPage id={id} key={id} />}</Route>
        <Route path="/connect" component={ConnectPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/support" component={SupportPage} />
        <Route path="/fleet">{operator ? <FleetPage /> : <OperatorsOnly />}</Route>
        <Route path="/fleet/agent">{operator ? <AgentPage /> : <OperatorsOnly />}</Route>
        <Route path="/operations/jobs/:id">
          {({ id }) => (operator ? <AnyJobPage id={id} key={id} /> : <OperatorsOnly />)}
        </Route>
        <Route path="/operations">{operator ? <OperationsPage /> : <OperatorsOnly />}</Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Suspense>
  )
}

/** Opens the first job while it is a demo that runs, otherwise the list of jobs. */
function Home() {
  const jobs = useQuery(latestJobQuery)
  if (jobs.error && !jobs.data) return <Failure error={jobs.error} retry={jobs.refetch} />
  if (jobs.isPending) return <Loading />
  const [first] = jobs.data?.total === 1 ? jobs.data.jobs : []
  return <Redirect to={first?.data.demo && isActive(first) ? `/jobs/${first.id}` : '/jobs'} replace />
}

function NotFound() {
  const t = useTexts(shellTexts)
  return (
    <Page title={t.notFound}>
      <Empty hint={t.notFoundHint} action={<ToJobs />} />
    </Page>
  )
}

function OperatorsOnly() {
  const t = useTexts(shellTexts)
  return (
    <Page title={t.operatorsOnly}>
      <Empty hint={t.operatorsOnlyHint} action={<ToJobs />} />
    </Page>
  )
}

function ToJobs() {
  const t = useTexts(commonTexts)
  return (
    <Anchor component={Link} href="/jobs">
      {t.toJobs}
    </Anchor>
  )
}
