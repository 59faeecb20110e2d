import { Anchor, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { type Column, DataTable, Pager } from '../parts/data-table.tsx'
import { creditsInColumn } from '../parts/formats.ts'
import { pageIn, useFilters } from '../parts/search-params.ts'
import { Time } from '../parts/time.tsx'
import { creditsTexts, whatFor } from '../texts/credits.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { historyQuery } from './credit-queries.ts'

const LIMIT = 25

/** Entries whose reference is a job. */
const OF_JOBS = ['job_start', 'job_settlement']

type Transaction = Schemas['CreditTransaction']

/** All credit transactions, newest first, with links to their jobs. */
export function Ledger() {
  const t = useTexts(creditsTexts)
  const { params, set } = useFilters()
  const types = Object.keys(t.types) as Transaction['type'][]
  const type = types.find((name) => name === params.get('type')) ?? ''
  const page = pageIn(params)
  const history = useQuery(historyQuery({ page, limit: LIMIT, type }))
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4">
          {t.ledger}
        </Title>
        <NativeSelect
          size="xs"
          aria-label={t.type}
          value={type}
          data={[{ value: '', label: t.anyType }, ...types.map((value) => ({ value, label: t.types[value] }))]}
          onChange={({ currentTarget: { value } }) => set({ type: value, page: undefined })}
        />
      </Group>
      <WithData query={history}>
        {({ transactions, total }) =>
          total === 0 ? (
            <Empty title={t.none} hint={t.noneHint} />
          ) : (
            <>
              <Transactions transactions={transactions} />
              <Pager page={page} limit={LIMIT} total={total} onChange={(to) => set({ page: String(to) })} />
            </>
          )
        }
      </WithData>
    </Stack>
  )
}

function Transactions({ transactions }: { transactions: Transaction[] }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  const columns: Column<Transaction>[] = [
    { title: t.when, cell: ({ created_at }) => <Time at={created_at} /> },
    { title: t.what, breakable: true, cell: (transaction) => <What {...transaction} /> },
    {
      title: t.change,
      figures: true,
      cell: ({ amount }) => `${Number(amount) > 0 ? '+' : ''}${creditsInColumn(amount, language)}`,
    },
    {
      title: t.after,
      figures: true,
      from: 'xs',
      cell: ({ balance_after }) => creditsInColumn(balance_after, language),
    },
  ]
  return <DataTable dense label={t.ledger} rows={transactions} columns={columns} keyOf={({ id }) => id} />
}

function What({ type, reference_type, reference_id, ...transaction }: Transaction) {
  const t = useTexts(creditsTexts)
  return (
    <>
      {whatFor({ ...transaction, reference_type }, t)}
      <Text size="xs" c="dimmed" component="div">
        {t.types[type]}
        {OF_JOBS.includes(reference_type) && (
          <>
            {' · '}
            <Anchor component={Link} href={`/jobs/${reference_id}`} inherit underline="always">
              {t.job}
            </Anchor>
          </>
        )}
      </Text>
    </>
  )
}
