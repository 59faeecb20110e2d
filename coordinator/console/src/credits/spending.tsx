import { Box, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Schemas } from '../api/client.ts'
import { lazyChunk } from '../parts/chunk.ts'
import { Loading, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { credits, creditsInColumn, shortDay } from '../parts/formats.ts'
import { creditsTexts } from '../texts/credits.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { spendingQuery } from './credit-queries.ts'

const SpendingChart = lazyChunk(() => import('./spending-chart.tsx'))

type Days = Schemas['DailySpending']['days']

/** The charges of jobs on each of the last 30 days: as bars and as a table. */
export function Spending() {
  const t = useTexts(creditsTexts)
  const spending = useQuery(spendingQuery)
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t.spending}
      </Title>
      <Paper withBorder p="md">
        <WithData query={spending}>{({ days }) => <SpendingOf days={days} />}</WithData>
      </Paper>
    </Stack>
  )
}

function SpendingOf({ days }: { days: Days }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  const spent = days.filter((day) => Number(day.credits) > 0)
  if (spent.length === 0) return <Text c="dimmed">{t.noSpending}</Text>
  const total = spent.reduce((sum, day) => sum + Number(day.credits), 0)
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t.spendingOf(credits(total, language))}
      </Text>
      <Box mih={180}>
        <Suspense fallback={<Loading />}>
          <SpendingChart days={days} />
        </Suspense>
      </Box>
      <details>
        <summary>{t.asTable}</summary>
        <SpendingTable days={spent} />
      </details>
    </Stack>
  )
}

function SpendingTable({ days }: { days: Days }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  const columns: Column<Days[number]>[] = [
    { title: t.day, cell: ({ date }) => shortDay(date, language) },
    { title: t.types.consumption, figures: true, cell: (day) => creditsInColumn(day.credits, language) },
  ]
  return <DataTable dense label={t.spending} rows={days.toReversed()} columns={columns} keyOf={({ date }) => date} />
}
