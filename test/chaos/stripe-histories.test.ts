import fc from 'fast-check'
import { onTestFinished, test } from 'vitest'
import { histories, playHistory } from '../coordinator/billing/stripe-history.ts'
import { SECRET_KEY } from '../coordinator/billing/stripe-world.ts'
import { testDatabase } from '../harness/servers/database.ts'
import { startStripe } from '../stripe/server.ts'

const { db } = await testDatabase()

test('1,000 random histories of purchases, refunds, disputes, jobs and crashes all end with the money of Stripe', async () => {
  const stripe = await startStripe({ secretKey: SECRET_KEY })
  onTestFinished(() => stripe.close())
  await fc.assert(
    fc.asyncProperty(histories, (history) => playHistory(db, stripe, history)),
    { numRuns: 1_000 },
  )
})
