import { Badge, Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../parts/confirm.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { count, credits } from '../parts/formats.ts'
import { Time } from '../parts/time.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { ChangeLimits } from './change-limits.tsx'
import { type Key, useRevokeKey } from './key-queries.ts'

/** A table of API keys with their use, active ones first. */
export function KeysTable({ keys }: { keys: Key[] }) {
  const t = useTexts(keysTexts)
  const [asked, setAsked] = useState<Key>()
  const { language } = useLanguage()
  const revoke = useRevokeKey()
  const sorted = keys.toSorted((one, other) => Number(Boolean(one.revoked_at)) - Number(Boolean(other.revoked_at)))
  const columns: Column<Key>[] = [
    {
      title: t.name,
      order: ({ name }) => name,
      breakable: true,
      cell: (key) => (
        <Text size="sm" fw={600}>
          {key.name}
        </Text>
      ),
    },
    {
      title: t.key,
      from: 'xs',
      cell: (key) => (
        <Code>
          {key.key_hint_prefix}…{key.key_hint_suffix}
        </Code>
      ),
    },
    {
      title: t.limits,
      cell: (key) => (
        <>
          <Limits limits={key.limits} />
          {!key.revoked_at && <ChangeLimits apiKey={key} />}
        </>
      ),
    },
    {
      title: t.uses,
      figures: true,
      from: 'sm',
      order: ({ usage_count }) => usage_count,
      cell: (key) => count(key.usage_count, language),
    },
    {
      title: t.used,
      from: 'xs',
      order: ({ last_used_at }) => last_used_at ?? undefined,
      cell: (key) => (key.last_used_at ? <Time at={key.last_used_at} /> : t.never),
    },
    {
      title: t.created,
      from: 'md',
      order: ({ created_at }) => created_at,
      cell: (key) => <Time at={key.created_at} />,
    },
    {
      title: t.actions,
      actions: true,
      cell: (key) =>
        key.revoked_at ? (
          <Badge variant="default" tt="none" radius="sm">
            {t.revoked}
          </Badge>
        ) : (
          <Button size="xs" variant="default" onClick={() => setAsked(key)} aria-label={t.revokeOf(key.name)}>
            {t.revoke}
          </Button>
        ),
    },
  ]
  return (
    <>
      <DataTable label={t.table} rows={sorted} columns={columns} keyOf={({ id }) => id} />
      <Confirm
        opened={asked !== undefined}
        title={t.sure(asked?.name ?? '')}
        hint={t.sureHint}
        action={t.revoke}
        cancelLabel={t.keep}
        pending={revoke.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && revoke.mutate(asked.id, { onSettled: () => setAsked(undefined) })}
      />
    </>
  )
}

/** The most that the jobs of a key may cost, one line a limit. */
function Limits({ limits: { day, month } = {} }: { limits: Key['limits'] }) {
  const t = useTexts(keysTexts)
  const { language } = useLanguage()
  if (day === undefined && month === undefined) return t.noLimit
  return (
    <>
      {day !== undefined && <div>{t.aDay(credits(day, language))}</div>}
      {month !== undefined && <div>{t.aMonth(credits(month, language))}</div>}
    </>
  )
}
