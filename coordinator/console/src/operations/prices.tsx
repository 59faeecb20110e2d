import { Badge, Box, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { answered, api } from '../api/client.ts'
import { credits } from '../parts/amount.ts'
import { WithData } from '../parts/data-states.tsx'
import { FullTime } from '../parts/time.tsx'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { operationsTexts } from '../texts/operations.ts'

const EVENTS = ['job_start', 'place_scraped', 'contact_details', 'review', 'image', 'filters_applied'] as const

/** Unit prices over time. They are changed by `ops prices set`, which asks twice. */
export function Prices() {
  const t = useTexts(operationsTexts)
  const job = useTexts(jobTexts)
  const { language } = useLanguage()
  const prices = useQuery({
    queryKey: ['operations', 'prices'],
    queryFn: async () => (await answered(api.GET('/api/v1/admin/prices'))).prices,
  })
  return (
    <WithData query={prices}>
      {(lines) => (
        <Box className="panel places-table">
          <Table verticalSpacing="sm" aria-label={t.tabs.prices}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.since}</Table.Th>
                {EVENTS.map((event) => (
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
                  {EVENTS.map((event) => (
                    <Table.Td key={event} ta="right" className="figures">
                      {credits(line.prices[event], language)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </WithData>
  )
}
