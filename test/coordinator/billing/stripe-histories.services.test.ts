import fc from 'fast-check'
import { onTestFinished, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'
import { volume } from '../../harness/volume.ts'
import { startStripe } from '../../stripe/server.ts'
import { histories, playHistory } from './stripe-history.ts'
import { SECRET_KEY } from './stripe-world.ts'

const HISTORIES = volume(2, 20)
const { db } = await testDatabase()

// A thousand of them are played by `npm run test:chaos`.
test(`${HISTORIES} random histories of purchases, refunds, disputes, jobs and crashes all end with the money of Stripe`, async () => {
  const stripe = await startStripe({ secretKey: SECRET_KEY })
  onTestFinished(() => stripe.close())
  await fc.assert(
    fc.asyncProperty(histories, (history) => playHistory(db, stripe, history)),
    { numRuns: HISTORIES },
  )
})
