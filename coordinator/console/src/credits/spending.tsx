import { Box, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answered, api, type Schemas } from '../api/client.ts'
import { WithData } from '../parts/data-states.tsx'
import { credits } from '../parts/figure.tsx'
import { shortDay } from '../parts/time.tsx'
import { creditsTexts } from '../texts/credits.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { CREDITS_KEY } from './credit-queries.ts'

type Days = Schemas['DailySpending']['days']

/** The charges of jobs on each of the last 30 days: as bars and as a table. */
export function Spending() {
  const t = useTexts(creditsTexts)
  const spending = useQuery({
    queryKey: [...CREDITS_KEY, 'spending'],
    queryFn: () => answered(api.GET('/api/v1/credits/spending')),
    refetchInterval: 60_000,
  })
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
      <SpendingBars days={days} />
      <details>
        <summary>{t.asTable}</summary>
        <SpendingTable days={spent} />
      </details>
    </Stack>
  )
}

/** One bar a day. The table has the same figures for those who cannot see the bars. */
function SpendingBars({ days }: { days: Days }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  const most = Math.max(...days.map((day) => Number(day.credits)))
  const [first, last] = [days[0], days.at(-1)]
  return (
    <div role="img" aria-label={t.bars}>
      <Group h={120} gap={2} align="flex-end" wrap="nowrap">
        {days.map((day) => (
          <Box
            key={day.date}
            className="bar"
            h={`${(100 * Number(day.credits)) / most}%`}
            title={`${shortDay(day.date, language)}: ${credits(day.credits, language)}`}
          />
        ))}
      </Group>
      <Group justify="space-between" mt={4}>
        {[first, last].map(
          (day) =>
            day && (
              <Text key={day.date} size="xs" c="dimmed">
                {shortDay(day.date, language)}
              </Text>
            ),
        )}
      </Group>
    </div>
  )
}

function SpendingTable({ days }: { days: Days }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  return (
    <Table aria-label={t.spending}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.day}</Table.Th>
          <Table.Th ta="right">{t.types.consumption}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.toReversed().map(({ date, credits: amount }) => (
          <Table.Tr key={date}>
            <Table.Td>{shortDay(date, language)}</Table.Td>
            <Table.Td ta="right" className="figures">
              {credits(amount, language)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
