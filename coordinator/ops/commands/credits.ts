import { randomUUID } from 'node:crypto'
import { textSchema } from '@placefleet/shared/text'
import { z } from 'zod'
import { findUserByName } from '../../accounts/store.ts'
import { grant } from '../../billing/grant.ts'
import { createLedger } from '../../billing/ledger.ts'
import type { LedgerEntry } from '../../billing/ledger-entry.ts'
import { creditString } from '../../billing/money.ts'
import { mongoLedgerStore } from '../../billing/store.ts'
import { AppError } from '../../http/errors.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { creditsOption, shownAs, userOption } from '../options.ts'
import { facts } from '../table.ts'

const REFERENCE_TYPE = 'grant'

const grantCommand = opsCommand({
  words: 'credits grant',
  about: 'grant credits as a bonus, or correct a balance with an adjustment, which may be negative',
  options: z.object({
    user: userOption,
    amount: creditsOption().meta(shownAs('credits', 'e.g. 25 or 2.50')),
    type: z
      .enum(['bonus', 'adjustment'], 'must be bonus or adjustment')
      .default('bonus')
      .meta(shownAs('type', 'bonus (the default) or adjustment')),
    reference: textSchema({ min: 1, max: 200 })
      .optional()
      .meta(shownAs('text', 'the cause, e.g. a ticket; a second grant with the same reference changes nothing')),
    reason: textSchema({ min: 1, max: 500 }).meta(shownAs('text', 'shown to the user in their history')),
  }),
  async run({ databaseForWriting }, { user, amount, type, reference = randomUUID(), reason }) {
    const db = await databaseForWriting()
    const { _id: user_id } = await findUserByName(db, user)
    const ledger = createLedger(mongoLedgerStore(db))
    const about = { reference_type: REFERENCE_TYPE, reference_id: reference }
    const known = (await ledger.about(user_id, reference)).some((entry) => entry.reference_type === REFERENCE_TYPE)
    const entry = await grant(ledger, { user_id, amount, type, reference: about, description: reason })
    if (entry.amount !== amount || entry.type !== type) throw otherGrant(entry)
    const { balance } = await ledger.state(user_id)
    const data = { ...shown(entry), repeated: known, credit_balance: creditString(balance) }
    const words = known ? 'already granted, nothing changed' : 'granted'
    return { data, text: facts({ [words]: data.amount, reference, balance: data.credit_balance }) }
  },
})

const otherGrant = ({ reference_id, amount, type }: LedgerEntry) =>
  new AppError('conflict', `The reference ${reference_id} was already used for a ${type} of ${creditString(amount)}.`)

const shown = ({ _id: id, user_id, type, amount, description, reference_id, created_at }: LedgerEntry) => ({
  id,
  user_id,
  type,
  amount: creditString(amount),
  description,
  reference_id,
  created_at,
})

export const creditCommands: OpsCommand[] = [grantCommand]
