import { Box, Grid, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { ACTIVE_POLL_MS } from '../api/queries.ts'
import { costsQuery, isActive, type Job } from '../jobs/job-queries.ts'
import { WithData } from '../parts/data-states.tsx'
import { count, credits } from '../parts/number-format.ts'
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
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Box className="panel">
        <Table aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.outcome}</Table.Th>
              <Table.Th ta="right">{t.count}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {counts.map(([name, number]) => (
              <Table.Tr key={name}>
                <Table.Td>{names[name] ?? name}</Table.Td>
                <Table.Td ta="right" className="figures">
                  {count(number, language)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
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
  return (
    <Box className="panel">
      <Table aria-label={t.costsTitle}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.item}</Table.Th>
            <Table.Th ta="right">{t.quantity}</Table.Th>
            <Table.Th ta="right">{t.credits}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(({ event_type, quantity, cost_credits }) => (
            <Table.Tr key={event_type}>
              <Table.Td>{t.items[event_type] ?? event_type}</Table.Td>
              <Table.Td ta="right" className="figures">
                {count(quantity, language)}
              </Table.Td>
              <Table.Td ta="right" className="figures">
                {credits(cost_credits, language)}
              </Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr fw={650}>
            <Table.Td>{t.total}</Table.Td>
            <Table.Td />
            <Table.Td ta="right" className="figures">
              {credits(total_credits, language)}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Box>
  )
}
