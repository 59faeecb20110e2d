import { Badge, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { Advice } from '../fleet/advice.tsx'
import { useDiagnosis, useQueue } from '../fleet/fleet-queries.ts'
import { WithData } from '../parts/data-states.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { count } from '../parts/formats.ts'
import { Figure } from '../parts/page.tsx'
import { findingTexts, useFindings } from '../texts/findings.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { FailedTasks } from './failed-tasks.tsx'

type Check = Schemas['Diagnosis']['checks'][number]

/** The checks of `ops doctor`, and the backlog. */
export function Doctor() {
  const t = useTexts(operationsTexts)
  const diagnosis = useDiagnosis()
  return (
    <Stack gap="md">
      <Waiting />
      <WithData query={diagnosis}>
        {({ failed_tasks, ...diagnosis }) => (
          <>
            <Advice {...diagnosis} />
            <Checks checks={diagnosis.checks} />
            {failed_tasks.length > 0 && <FailedTasks tasks={failed_tasks} title={t.lastFailed} />}
          </>
        )}
      </WithData>
    </Stack>
  )
}

function Checks({ checks }: { checks: readonly Check[] }) {
  const t = useTexts(operationsTexts)
  const { checks: names } = useTexts(findingTexts)
  const columns: Column<Check>[] = [
    {
      title: t.check,
      cell: ({ name, ...check }) => (
        <>
          <Text size="sm" fw={600}>
            {names[name] ?? name}
          </Text>
          <Verdict {...check} />
        </>
      ),
    },
    { title: t.found, breakable: true, cell: (check) => <Found {...check} /> },
  ]
  return <DataTable label={t.checks} rows={checks} columns={columns} keyOf={({ name }) => name} />
}

function Found({ detail, findings = [] }: Check) {
  const inWords = useFindings()
  const words = findings.length > 0 ? inWords(findings) : undefined
  return words ? words.join('; ') : <span lang="en">{detail}</span>
}

function Verdict({ ok, warning = false }: { ok: boolean; warning?: boolean }) {
  const t = useTexts(operationsTexts)
  const [color, words] = ok && warning ? ['yellow', t.look] : ok ? ['green', t.fine] : ['red', t.wrong]
  return (
    <Badge color={color} variant="light" tt="none" radius="sm" className="state">
      {words}
    </Badge>
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
