import { Badge, Stack } from '@mantine/core'
import { BILLED_EVENTS } from '@placefleet/shared/billed-events'
import type { Schemas } from '../api/client.ts'
import { WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { credits } from '../parts/formats.ts'
import { FullTime } from '../parts/time.tsx'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { usePrices } from './price-queries.ts'
import { SetPrices } from './set-prices.tsx'

/** All unit prices, and a form for new ones. */
export function Prices() {
  return (
    <Stack gap="md">
      <WithData query={usePrices()}>{(lines) => <PriceTable lines={lines} />}</WithData>
      <SetPrices />
    </Stack>
  )
}

function PriceTable({ lines }: { lines: Schemas['PriceLine'][] }) {
  const t = useTexts(operationsTexts)
  const job = useTexts(jobTexts)
  const { language } = useLanguage()
  const columns: Column<Schemas['PriceLine']>[] = [
    {
      title: t.since,
      cell: ({ from, state }) => (
        <>
          {from ? <FullTime at={from} /> : t.always}{' '}
          <Badge variant="default" tt="none" radius="sm" className="state">
            {t.states[state]}
          </Badge>
        </>
      ),
    },
    ...BILLED_EVENTS.map((event) => ({
      title: job.items[event] ?? event,
      figures: true,
      cell: ({ prices }: Schemas['PriceLine']) => credits(prices[event], language),
    })),
  ]
  return <DataTable label={t.tabs.prices} rows={lines} columns={columns} keyOf={({ from }) => from ?? ''} />
}
