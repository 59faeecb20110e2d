import { Alert, Badge, Box, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useDiagnosis, useQueue } from '../fleet/fleet-queries.ts'
import { WithData } from '../parts/data-states.tsx'
import { count, Figure } from '../parts/figure.tsx'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { operationsTexts } from '../texts/operations.ts'

/** The checks of `ops doctor`, and the backlog. */
export function Doctor() {
  const t = useTexts(operationsTexts)
  const diagnosis = useDiagnosis()
  return (
    <Stack gap="md">
      <Waiting />
      <WithData query={diagnosis}>
        {({ healthy, checks, advice }) => (
          <>
            <Alert color={healthy ? 'green' : 'red'} role="status" variant="light">
              {advice.map((sentence) => (
                <div key={sentence}>{sentence}</div>
              ))}
            </Alert>
            <Box className="panel places-table">
              <Table verticalSpacing="sm" aria-label={t.checks}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t.check}</Table.Th>
                    <Table.Th>{t.found}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {checks.map(({ name, ok, detail }) => (
                    <Table.Tr key={name}>
                      <Table.Td>
                        <Text size="sm" fw={600}>
                          {name}
                        </Text>
                        <Badge color={ok ? 'green' : 'red'} variant="light" tt="none" radius="sm" className="state">
                          {ok ? t.fine : t.wrong}
                        </Badge>
                      </Table.Td>
                      <Table.Td className="breakable">{detail}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Box>
          </>
        )}
      </WithData>
    </Stack>
  )
}

function Waiting() {
  const t = useTexts(operationsTexts)
  const { language } = useLanguage()
  const { data: queue } = useQueue()
  const number = (value: number | undefined) => (value === undefined ? '–' : count(value, language))
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure label={t.pending} value={number(queue?.jobs.pending)} />
      <Figure label={t.running} value={number(queue?.jobs.running)} />
      <Figure label={t.waiting} value={number(queue && queue.tasks.waiting + queue.tasks.released)} />
      <Figure label={t.unclaimed} value={number(queue?.tasks.unclaimed)} />
    </SimpleGrid>
  )
}
