import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { useFilters } from '../parts/search-params.ts'
import { useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { AllJobs } from './all-jobs.tsx'
import { Doctor } from './doctor.tsx'
import { FailedTasks } from './failed-tasks.tsx'
import { deadTasksQuery } from './operation-queries.ts'
import { Prices } from './prices.tsx'
import { SupportRequests } from './support-requests.tsx'
import { Users } from './users.tsx'

/** Tasks that failed in all their attempts, the latest first. */
function DeadTasks() {
  const t = useTexts(operationsTexts)
  const dead = useQuery(deadTasksQuery)
  return (
    <WithData query={dead}>
      {(tasks) =>
        tasks.length === 0 ? (
          <Empty title={t.noDead} hint={t.noDeadHint} />
        ) : (
          <FailedTasks tasks={tasks} title={t.tabs.dead} />
        )
      }
    </WithData>
  )
}

const TABS = {
  doctor: Doctor,
  jobs: AllJobs,
  dead: DeadTasks,
  users: Users,
  prices: Prices,
  support: SupportRequests,
}
const NAMES = ['doctor', 'jobs', 'dead', 'users', 'prices', 'support'] as const

/** The other pages for operators. */
export default function OperationsPage() {
  const t = useTexts(operationsTexts)
  const { params, set } = useFilters()
  const tab = NAMES.find((name) => name === params.get('tab')) ?? 'doctor'
  const Shown = TABS[tab]
  return (
    <Page title={t.title} lead={t.lead}>
      <Tabs
        value={tab}
        onChange={(name) =>
          set({
            tab: name === 'doctor' ? undefined : (name ?? undefined),
            search: undefined,
            status: undefined,
            page: undefined,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {NAMES.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Shown />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
