import { Grid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import { costsQuery, type Job } from '../jobs/job-queries.ts'
import { isActive } from '../jobs/job-rules.ts'
import { WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { count, creditsInColumn } from '../parts/formats.ts'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.ts'

/** The outcomes of all places that were found and of the visits of their websites, and the cost of the stored ones. */
export function OutcomesAndCosts({ job }: { job: Job }) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Outcomes job={job} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Costs job={job} />
      </Grid.Col>
    </Grid>
  )
}

function Outcomes({ job: { outcomes, website_visits } }: { job: Job }) {
  const t = useTexts(jobTexts)
  const places = Object.entries(outcomes).filter(([name, number]) => number > 0 || name === 'ok')
  const visits = Object.entries(website_visits ?? {}).filter(([, number]) => number > 0)
  return (
    <Stack gap="lg">
      <CountTable title={t.outcomesTitle} counts={places} names={t.outcomes} />
      {visits.length > 0 && <CountTable title={t.visitsTitle} counts={visits} names={t.visits} />}
    </Stack>
  )
}

type CountTableProps = { title: string; counts: [name: string, number: number][]; names: Record<string, string> }

function CountTable({ title, counts, names }: CountTableProps) {
  const t = useTexts(jobTexts)
  const { language } = useLanguage()
  const columns: Column<CountTableProps['counts'][number]>[] = [
    { title: t.outcome, cell: ([name]) => names[name] ?? name },
    { title: t.count, figures: true, cell: ([, number]) => count(number, language) },
  ]
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <DataTable dense label={title} rows={counts} columns={columns} keyOf={([name]) => name} />
    </Stack>
  )
}

function Costs({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const costs = useQuery({ ...costsQuery(job.id), refetchInterval: isActive(job) ? ACTIVE_POLL_MS : false })
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t.costsTitle}
      </Title>
      {isActive(job) && (
        <Text size="sm" c="dimmed">
          {t.costNow}
        </Text>
      )}
      <WithData query={costs}>{(report) => <CostTable {...report} />}</WithData>
    </Stack>
  )
}

function CostTable({ items, total_credits }: Schemas['CostReport']) {
  const t = useTexts(jobTexts)
  const { language } = useLanguage()
  const lines = items.map(({ event_type, quantity, cost_credits }) => ({
    item: t.items[event_type] ?? event_type,
    quantity: count(quantity, language),
    cost: creditsInColumn(cost_credits, language),
  }))
  const total = { item: <b>{t.total}</b>, quantity: '', cost: <b>{creditsInColumn(total_credits, language)}</b> }
  const rows = [...lines.map((line, index) => ({ key: index, ...line })), { key: -1, ...total }]
  const columns: Column<(typeof rows)[number]>[] = [
    { title: t.item, cell: ({ item }) => item },
    { title: t.quantity, figures: true, cell: ({ quantity }) => quantity },
    { title: t.credits, figures: true, cell: ({ cost }) => cost },
  ]
  return <DataTable dense label={t.costsTitle} rows={rows} columns={columns} keyOf={({ key }) => key} />
}
