import { Button, Group, NumberInput, Paper, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { BILLED_EVENTS } from '@placefleet/shared/billed-events'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { detailOf } from '../api/errors.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Failure } from '../parts/data-states.tsx'
import { fullTime } from '../parts/formats.ts'
import { jobTexts } from '../texts/job.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { operationsTexts } from '../texts/operations.ts'
import { type NewPrices, PRICES_KEY, pricesRequestOf } from './price-queries.ts'

const UNTOUCHED: NewPrices = { from: '', prices: {} }

/** Sets future prices. Asks for confirmation, because prices cannot be undone. */
export function SetPrices() {
  const t = useTexts(operationsTexts)
  const { language } = useLanguage()
  const queries = useQueryClient()
  const [given, setGiven] = useState(UNTOUCHED)
  const [asked, setAsked] = useState(false)
  const set = useMutation({
    mutationFn: () => unwrap(api.POST('/api/v1/admin/prices', { body: pricesRequestOf(given) })),
    onSuccess: () => {
      setGiven(UNTOUCHED)
      notifications.show({ message: t.pricesSet })
      return queries.invalidateQueries({ queryKey: PRICES_KEY })
    },
    onSettled: () => setAsked(false),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
  }
  const complete = given.from !== '' && Object.keys(given.prices).length > 0
  return (
    <Paper withBorder p="lg" component="form" onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t.setPrices}
        </Title>
        <Text size="sm" c="dimmed">
          {t.setPricesHint}
        </Text>
        <PriceFields given={given} onChange={setGiven} error={set.error} />
        <Failure error={set.error} fields={['from', ...BILLED_EVENTS]} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!complete}>
            {t.setPrices}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={asked}
        title={t.setPricesSure}
        hint={t.setPricesSureHint(complete ? fullTime(given.from, language) : '')}
        action={t.setPrices}
        cancelLabel={t.keepPrices}
        pending={set.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => set.mutate()}
      />
    </Paper>
  )
}

type PriceFieldsProps = { given: NewPrices; onChange(given: NewPrices): void; error: unknown }

function PriceFields({ given, onChange, error }: PriceFieldsProps) {
  const t = useTexts(operationsTexts)
  const job = useTexts(jobTexts)
  const detail = (field: string) => detailOf(error, field)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <TextInput
        type="datetime-local"
        label={t.since}
        value={given.from}
        error={detail('from')}
        onChange={({ currentTarget: { value } }) => onChange({ ...given, from: value })}
      />
      {BILLED_EVENTS.map((event) => (
        <NumberInput
          key={event}
          label={job.items[event]}
          value={given.prices[event] ?? ''}
          min={0}
          decimalScale={6}
          step={0.001}
          error={detail(event)}
          onChange={(value) => onChange({ ...given, prices: { ...given.prices, [event]: value } })}
        />
      ))}
    </SimpleGrid>
  )
}
