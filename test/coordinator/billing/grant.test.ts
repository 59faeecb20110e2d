import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { expect, test } from 'vitest'
import { memoryLedger } from './memory-ledger.ts'

const user_id = 'user'
const given = (type: 'bonus' | 'adjustment', amount: number) => ({
  user_id,
  type,
  amount,
  reference: { reference_type: 'grant', reference_id: `${type} ${amount}` },
  description: 'given',
})

test.each([-1, 0, 0.5])('a bonus of %d is refused', async (amount) => {
  const ledger = createLedger(memoryLedger())
  await grant(ledger, given('bonus', 10))
  await expect(grant(ledger, given('bonus', amount))).rejects.toMatchObject({ code: 'bad_request' })
  expect(await ledger.state(user_id)).toMatchObject({ balance: 10 })
})

test('an adjustment takes at most the available credits', async () => {
  const ledger = createLedger(memoryLedger())
  await grant(ledger, given('bonus', 10))
  await createHolds(ledger).reserve({ user_id, job_id: 'job', max: 4, min: 1 })

  await expect(grant(ledger, given('adjustment', -7))).rejects.toMatchObject({ code: 'conflict' })
  await grant(ledger, given('adjustment', -6))

  expect(await ledger.state(user_id)).toMatchObject({ balance: 4, held: 4 })
})
