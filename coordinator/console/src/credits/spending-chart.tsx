import { BarChart } from '@mantine/charts'
import { credits, shortDay } from '../parts/formats.ts'
import '@mantine/charts/styles.css'
import type { Schemas } from '../api/client.ts'
import { creditsTexts } from '../texts/credits.ts'
import { useLanguage, useTexts } from '../texts/language.ts'

/** One bar a day. A module of its own, so that pages without a chart do not load the library. */
export default function SpendingChart({ days }: { days: Schemas['DailySpending']['days'] }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  const bars = days.map((day) => ({ day: shortDay(day.date, language), credits: Number(day.credits) }))
  return (
    <div role="img" aria-label={t.bars}>
      <BarChart
        h={180}
        data={bars}
        dataKey="day"
        series={[{ name: 'credits', label: t.types.consumption, color: 'var(--mantine-primary-color-filled)' }]}
        valueFormatter={(value) => credits(value, language)}
        tickLine="none"
        xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 24 }}
        yAxisProps={{ width: 64, tickCount: 3, interval: 0 }}
        barProps={{ isAnimationActive: false }}
        // The table has the figures for the keyboard and for screen readers.
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}
