import { Alert, SimpleGrid } from '@mantine/core'
import { Empty, WithData } from '../parts/data-states.tsx'
import { count } from '../parts/formats.ts'
import { Figure, Page } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { fleetTexts } from '../texts/fleet.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { FleetActivity } from './activity.tsx'
import { AddProxies } from './add-proxies.tsx'
import { Advice } from './advice.tsx'
import { AgentsTable } from './agents-table.tsx'
import { Enrol } from './enrol.tsx'
import { ExitsTable } from './exits-table.tsx'
import { type Agent, useAgents, useDiagnosis, useQueue, useUnknownAnswers } from './fleet-queries.ts'

/** The agents for operators: their state, their work, and why work is idle. */
export default function FleetPage() {
  const t = useTexts(fleetTexts)
  const agents = useAgents()
  const { data: queue } = useQueue()
  const waiting = queue && queue.tasks.waiting + queue.tasks.released
  return (
    <Page title={t.title} lead={t.lead} actions={<Enrol />}>
      <WhyIdle />
      <SomethingNew />
      <FleetFigures agents={agents.data} />
      <WithData query={agents}>
        {(all) =>
          all.length === 0 ? <Empty title={t.none} hint={t.noneHint} /> : <AgentsTable agents={all} waiting={waiting} />
        }
      </WithData>
      <FleetActivity />
      <ExitsTable />
      <AddProxies />
    </Page>
  )
}

function WhyIdle() {
  const { data } = useDiagnosis()
  return data ? <Advice {...data} /> : null
}

function SomethingNew() {
  const t = useTexts(fleetTexts)
  const { data = [] } = useUnknownAnswers()
  const [latest] = data
  if (!latest) return null
  return (
    <Alert color="yellow" variant="light" role="status" title={t.somethingNew}>
      {t.somethingNewHint(data.length)} <Time at={latest.seen_at} />
    </Alert>
  )
}

function FleetFigures({ agents }: { agents: readonly Agent[] | undefined }) {
  const t = useTexts(fleetTexts)
  const { language } = useLanguage()
  const { data: queue } = useQueue()
  const number = (value: number | undefined) => (value === undefined ? '–' : count(value, language))
  const speed = agents && Math.round(agents.reduce((sum, agent) => sum + agent.places_per_minute, 0))
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure label={t.agents} value={number(queue?.fleet.connected)} />
      <Figure label={t.slots} value={number(queue?.fleet.busy)} hint={t.slotsOf(number(queue?.fleet.slots))} />
      <Figure label={t.waiting} value={number(queue && queue.tasks.waiting + queue.tasks.released)} />
      <Figure label={t.perMinute} value={number(speed)} />
    </SimpleGrid>
  )
}
