import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { GiveCredits } from '../operations/give-credits.tsx'
import { Section } from '../parts/page.tsx'
import type { Session } from '../session/session.ts'
import { creditsTexts } from '../texts/credits.ts'
import { useTexts } from '../texts/language.ts'

/** Where nothing is sold: who grants credits. Operators grant them here to themselves. */
export function GrantedCredits({ user }: { user: Session['user'] }) {
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
