import { Alert, Box, Code, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { Figure } from '../parts/figure.tsx'
import { count } from '../parts/number-format.ts'
import { Time } from '../parts/time.tsx'
import { useLanguage, useTexts } from '../texts/language.ts'
import { upkeepTexts } from '../texts/upkeep.ts'
import { upkeepQuery } from './operation-queries.ts'

/** The state of the database: its last backup, the ledger, indexes and sizes. */
export function Upkeep() {
  return <WithData query={useQuery(upkeepQuery)}>{(upkeep) => <State {...upkeep} />}</WithData>
}

function State({ backed_up_at, verified_at, deviations, indexes, schema_version, collections }: Schemas['Upkeep']) {
  const t = useTexts(upkeepTexts)
  const { language } = useLanguage()
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Figure label={t.backup} value={<When at={backed_up_at} />} />
        <Figure
          label={t.ledger}
          value={<When at={verified_at} />}
          hint={deviations === undefined ? undefined : t.deviations(deviations)}
        />
        <Figure
          label={t.indexes}
          value={count(indexes.total - indexes.missing.length, language)}
          hint={t.indexesOf(count(indexes.total, language))}
        />
        <Figure label={t.schema} value={schema_version} />
      </SimpleGrid>
      <Alert
        color={backed_up_at === undefined ? 'yellow' : 'gray'}
        variant="light"
        title={backed_up_at === undefined ? t.noBackup : t.nextBackup}
      >
        <Stack gap="xs">
          <Text size="sm">{t.backupHint}</Text>
          <CodeBlock label={t.backupCommand}>
            npm run ops -- backup --into /var/backups/placefleet --keep-days 14
          </CodeBlock>
        </Stack>
      </Alert>
      {indexes.missing.length > 0 && (
        <Alert color="red" variant="light" title={t.missing}>
          <Text size="sm">{t.missingHint}</Text>
          <Text size="sm" ff="monospace" className="breakable">
            {indexes.missing.join(', ')}
          </Text>
        </Alert>
      )}
      <Collections collections={collections} />
    </Stack>
  )
}

function When({ at }: { at: string | undefined }) {
  const t = useTexts(upkeepTexts)
  return (
    <Text size="sm" component="div">
      {at === undefined ? t.never : <Time at={at} />}
    </Text>
  )
}

function Collections({ collections }: Pick<Schemas['Upkeep'], 'collections'>) {
  const t = useTexts(upkeepTexts)
  const { language } = useLanguage()
  const columns: Column<(typeof collections)[number]>[] = [
    { title: t.collections, cell: ({ name }) => <Code>{name}</Code> },
    { title: t.documents, figures: true, cell: ({ documents }) => count(documents, language) },
  ]
  return (
    <Box maw={480}>
      <DataTable dense label={t.collections} rows={collections} columns={columns} keyOf={({ name }) => name} />
    </Box>
  )
}
