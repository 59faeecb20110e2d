import { Alert, Button, Grid, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { GiveCredits } from '../operations/give-credits.tsx'
import { WithData } from '../parts/data-states.tsx'
import { credits } from '../parts/formats.ts'
import { Figure, Page, Section } from '../parts/page.tsx'
import { type Session, sessionQuery } from '../session/session.ts'
import { creditsTexts } from '../texts/credits.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { BuyCredits } from './buy-credits.tsx'
import { balanceQuery, type ReturnedCheckout, useReturnedCheckout } from './credit-queries.ts'
import { Ledger } from './ledger.tsx'
import { Spending } from './spending.tsx'

/** The balance, the purchase of credits, and the transactions. */
export default function CreditsPage() {
  const t = useTexts(creditsTexts)
  const balance = useQuery(balanceQuery)
  return (
    <Page title={t.title} lead={t.lead}>
      <Returned />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <WithData query={balance}>{(data) => <Figures balance={data} />}</WithData>
            <Spending />
            <Ledger />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <MoreCredits />
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** Where credits come from: from a purchase, or from the operator. */
function MoreCredits() {
  const session = useQuery(sessionQuery).data
  if (!session) return null
  return session.sells_credits ? <BuyCredits /> : <GrantedCredits user={session.user} />
}

const COLORS: Record<ReturnedCheckout, string> = {
  confirming: 'blue',
  paid: 'green',
  notPaid: 'yellow',
  cancelled: 'yellow',
}

/** Says what is known of the payment from which the user returns. */
function Returned() {
  const t = useTexts(creditsTexts)
  const returned = useReturnedCheckout()
  return (
    returned && (
      <Alert color={COLORS[returned]} role="status">
        {t[returned]}
      </Alert>
    )
  )
}

function Figures({ balance }: { balance: Schemas['CreditBalance'] }) {
  const t = useTexts(creditsTexts)
  const { language } = useLanguage()
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Figure label={t.available} value={credits(balance.available, language)} />
      <Figure label={t.held} value={credits(balance.held, language)} />
      <Figure label={t.balance} value={credits(balance.credit_balance, language)} />
      <Figure label={t.bought} value={credits(balance.total_credits_purchased, language)} />
    </SimpleGrid>
  )
}

/** Where nothing is sold: who grants credits. Operators grant them here to themselves. */
function GrantedCredits({ user }: { user: Session['user'] }) {
  const t = useTexts(creditsTexts)
  const [granting, setGranting] = useState(false)
  const isOperator = user.role === 'operator'
  return (
    <Section title={t.more}>
      <Text size="sm">{isOperator ? t.grantHint : t.notSold}</Text>
      {isOperator && <Button onClick={() => setGranting(true)}>{t.grant}</Button>}
      <GiveCredits user={granting ? user : undefined} onClose={() => setGranting(false)} />
    </Section>
  )
}
