import { Badge, Box, Button, Code, Table, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../parts/confirm.tsx'
import { count, credits } from '../parts/number-format.ts'
import { Time } from '../parts/time.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { ChangeLimits } from './change-limits.tsx'
import { type Key, useRevokeKey } from './key-queries.ts'

/** A table of API keys with their use, active ones first. */
export function KeysTable({ keys }: { keys: Key[] }) {
  const t = useTexts(keysTexts)
  const [asked, setAsked] = useState<Key>()
  const revoke = useRevokeKey()
  const sorted = keys.toSorted((one, other) => Number(Boolean(one.revoked_at)) - Number(Boolean(other.revoked_at)))
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="sm" aria-label={t.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th visibleFrom="xs">{t.key}</Table.Th>
            <Table.Th>{t.limits}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t.uses}
            </Table.Th>
            <Table.Th visibleFrom="xs">{t.used}</Table.Th>
            <Table.Th visibleFrom="md">{t.created}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
          ))}
        </Table.Tbody>
      </Table>
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
    </Box>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: Key; onRevoke(): void }) {
  const t = useTexts(keysTexts)
  const { language } = useLanguage()
  return (
    <Table.Tr>
      <Table.Td className="breakable">
        <Text size="sm" fw={600}>
          {apiKey.name}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <Code>
          {apiKey.key_hint_prefix}…{apiKey.key_hint_suffix}
        </Code>
      </Table.Td>
      <Table.Td className="figures">
        <Limits limits={apiKey.limits} />
        {!apiKey.revoked_at && <ChangeLimits apiKey={apiKey} />}
      </Table.Td>
      <Table.Td ta="right" className="figures" visibleFrom="sm">
        {count(apiKey.usage_count, language)}
      </Table.Td>
      <Table.Td visibleFrom="xs">{apiKey.last_used_at ? <Time at={apiKey.last_used_at} /> : t.never}</Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={apiKey.created_at} />
      </Table.Td>
      <Table.Td ta="right">
        {apiKey.revoked_at ? (
          <Badge variant="default" tt="none" radius="sm">
            {t.revoked}
          </Badge>
        ) : (
          <Button size="xs" variant="default" onClick={onRevoke} aria-label={t.revokeOf(apiKey.name)}>
            {t.revoke}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
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
