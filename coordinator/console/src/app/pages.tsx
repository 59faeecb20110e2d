import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, Redirect, Route, Switch } from 'wouter'
import { api, unwrap } from '../api/client.ts'
import { isActive, JOBS_KEY } from '../jobs/job-queries.ts'
import { Empty, Loading } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import type { Session } from '../session/session.ts'
import { useTexts } from '../texts/language.ts'
import { shellTexts } from '../texts/shell.ts'

// Each page is a chunk, so the first load contains only the code of the first page.
const JobsPage = lazy(() => import('../jobs/jobs-page.tsx'))
const JobPage = lazy(() => import('../job/job-page.tsx'))
const NewJobPage = lazy(() => import('../new-job/new-job-page.tsx'))
const MonitorsPage = lazy(() => import('../monitors/monitors-page.tsx'))
const NewMonitorPage = lazy(() => import('../monitors/new-monitor-page.tsx'))
const MonitorPage = lazy(() => import('../monitors/monitor-page.tsx'))
const KnownPlacesPage = lazy(() => import('../known-places/known-places-page.tsx'))
const KeysPage = lazy(() => import('../keys/keys-page.tsx'))
const CreditsPage = lazy(() => import('../credits/credits-page.tsx'))
const WebhooksPage = lazy(() => import('../webhooks/webhooks-page.tsx'))
const WebhookPage = lazy(() => import('../webhooks/webhook-page.tsx'))
const ConnectPage = lazy(() => import('../connect/connect-page.tsx'))
const AccountPage = lazy(() => import('../account/account-page.tsx'))
const SupportPage = lazy(() => import('../support/support-page.tsx'))
const FleetPage = lazy(() => import('../fleet/fleet-page.tsx'))
const OperationsPage = lazy(() => import('../operations/operations-page.tsx'))

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
  const jobs = useQuery({
    queryKey: [...JOBS_KEY, 'first'],
    queryFn: () => unwrap(api.GET('/api/v1/jobs', { params: { query: { limit: 1 } } })),
  })
  if (jobs.isPending) return <Loading />
  const [first] = jobs.data?.total === 1 ? jobs.data.jobs : []
  return <Redirect to={first?.data.demo && isActive(first) ? `/jobs/${first.id}` : '/jobs'} replace />
}

function NotFound() {
  const t = useTexts(shellTexts)
  return (
    <Page title={t.notFound}>
      <Empty title={t.notFound} hint={t.notFoundHint} action={<ToJobs />} />
    </Page>
  )
}

function OperatorsOnly() {
  const t = useTexts(shellTexts)
  return (
    <Page title={t.operatorsOnly}>
      <Empty title={t.operatorsOnly} hint={t.operatorsOnlyHint} action={<ToJobs />} />
    </Page>
  )
}

function ToJobs() {
  const t = useTexts(shellTexts)
  return (
    <Anchor component={Link} href="/jobs">
      {t.toJobs}
    </Anchor>
  )
}
