import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { activityTexts } from '../texts/activity.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import type { Work } from './fleet-queries.ts'

type Series = 'places' | 'blocked' | 'refused_tasks'

const COLORS: Record<Series, string> = { places: 'teal.6', blocked: 'red.6', refused_tasks: 'orange.6' }

type WorkChartProps = {
  label: string
  work: readonly Work[]
  series: readonly Series[]
  /** What stands below a bar. */
  shortName(at: string): string
  /** What stands beside the figures of a bar. */
  fullName(at: string): string
}

/** One bar a step. A module of its own, so that pages without a chart do not load the library. */
export default function WorkChart({ label, work, series, shortName, fullName }: WorkChartProps) {
  const t = useTexts(activityTexts)
  const { language } = useLanguage()
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={140}
        data={[...work]}
        dataKey="at"
        type="stacked"
        withLegend={series.length > 1}
        series={series.map((name) => ({ name, label: t.series[name], color: COLORS[name] }))}
        valueFormatter={(value) => value.toLocaleString(language)}
        tickLine="none"
        xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 24, tickFormatter: shortName }}
        yAxisProps={{ width: 56, allowDecimals: false, tickCount: 3, interval: 0 }}
        tooltipProps={{ labelFormatter: (at) => fullName(String(at)) }}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }} // the sentence above has the sums
      />
    </div>
  )
}
