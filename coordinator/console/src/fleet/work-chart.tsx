import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { activityTexts } from '../texts/activity.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import type { Work } from './fleet-queries.ts'

type Series = 'places' | 'blocked' | 'refused_tasks'

const COLORS: Record<Series, string> = { places: 'teal.6', blocked: 'red.6', refused_tasks: 'orange.6' }

type WorkChartProps = { label: string; work: readonly Work[]; series: readonly Series[]; nameOf(work: Work): string }

/** One bar a step. A module of its own, so that pages without a chart do not load the library. */
export default function WorkChart({ label, work, series, nameOf }: WorkChartProps) {
  const t = useTexts(activityTexts)
  const { language } = useLanguage()
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={140}
        data={work.map((one) => ({ ...one, step: nameOf(one) }))}
        dataKey="step"
        type="stacked"
        withLegend={series.length > 1}
        series={series.map((name) => ({ name, label: t.series[name], color: COLORS[name] }))}
        valueFormatter={(value) => value.toLocaleString(language)}
        tickLine="none"
        yAxisProps={{ width: 56, allowDecimals: false }}
        barProps={{ isAnimationActive: false }}
        barChartProps={{ accessibilityLayer: false }} // the sentence above has the sums
      />
    </div>
  )
}
