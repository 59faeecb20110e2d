import { Button, NumberInput, Paper, Stack, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FormFailure, useFaults } from '../parts/faults.tsx'
import { creditsTexts } from '../texts/credits.ts'
import { useTexts } from '../texts/language.ts'
import { useCheckout } from './credit-queries.ts'

const FIELDS = { credits: ['credits'] } as const

/** Buys credits on Stripe's payment page, which returns to this page. */
export function BuyCredits() {
  const t = useTexts(creditsTexts)
  const [amount, setAmount] = useState<string | number>(25)
  const checkout = useCheckout()
  const faults = useFaults(checkout, { credits: String(amount) }, FIELDS, t.faults)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    checkout.mutate({ credits: String(amount) })
  }
  return (
    <Paper withBorder p="lg" component="form" ref={faults.form} onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t.buy}
        </Title>
        <NumberInput
          label={t.amount}
          description={t.amountHint}
          value={amount}
          onChange={setAmount}
          error={faults.of('credits')}
          min={1}
          max={10_000}
          allowDecimal={false}
          allowNegative={false}
        />
        <FormFailure faults={faults} />
        <Button type="submit" loading={checkout.isPending}>
          {t.pay}
        </Button>
      </Stack>
    </Paper>
  )
}
