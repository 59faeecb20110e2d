import { Badge, Box, Stack, Table } from '@mantine/core'
import { BILLED_EVENTS } from '@placefleet/shared/billed-events'
import type { Schemas } from '../api/client.ts'
import { WithData } from '../parts/data-states.tsx'
import { credits } from '../parts/number-format.ts'
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
  return (
    <Box className="panel table-scroll" tabIndex={0} role="region" aria-label={t.priceTable}>
      <Table verticalSpacing="sm" aria-label={t.tabs.prices}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.since}</Table.Th>
            {BILLED_EVENTS.map((event) => (
              <Table.Th key={event} ta="right">
                {job.items[event]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.from ?? ''}>
              <Table.Td>
                {line.from ? <FullTime at={line.from} /> : t.always}{' '}
                <Badge variant="default" tt="none" radius="sm">
                  {t.states[line.state]}
                </Badge>
              </Table.Td>
              {BILLED_EVENTS.map((event) => (
                <Table.Td key={event} ta="right" className="figures">
                  {credits(line.prices[event], language)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
