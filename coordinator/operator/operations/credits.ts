import { randomUUID } from 'node:crypto'
import { shownAs } from '@placefleet/shared/commands/command'
import { facts } from '@placefleet/shared/commands/table'
import { textSchema } from '@placefleet/shared/text'
import { z } from 'zod'
import { findUserByName } from '../../accounts/store.ts'
import { grant } from '../../billing/ledger/grant.ts'
import type { LedgerEntry } from '../../billing/ledger/ledger.ts'
import { creditString, microCredits } from '../../billing/prices/cost.ts'
import { AppError } from '../../http/errors.ts'
import { type Operation, operation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { userOption } from './users.ts'

const REFERENCE_TYPE = 'grant'

/** Credits with a sign, without zero. */
const amount = z
  .string()
  .regex(/^-?(?!0+(\.0+)?$)\d{1,9}(\.\d{1,6})?$/, 'must be credits other than 0 with at most 6 decimals, e.g. 2.50')

export const GrantRequest = z
  .strictObject({
    user: z.string().min(1).describe('id or email of the user'),
    amount: amount.describe('credits, e.g. 25 or 2.50'),
    type: z
      .enum(['bonus', 'adjustment'], 'must be bonus or adjustment')
      .default('bonus')
      .describe('an adjustment may be negative'),
    reference: textSchema({ min: 1, max: 200 })
      .optional()
      .describe('the cause, e.g. a ticket; a second grant with the same reference changes nothing'),
    reason: textSchema({ min: 1, max: 500 }).describe('shown to the user in their history'),
  })
  .meta({
    id: 'GrantRequest',
    description: 'Credits to grant or correct.',
    examples: [{ user: 'ada@example.com', amount: '25', reason: 'Welcome' }],
  })
type GrantRequest = z.output<typeof GrantRequest>

const Grant = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    type: z.string(),
    amount: z.string().describe('credits, with 6 decimals'),
    description: z.string(),
    reference_id: z.string(),
    created_at: z.iso.datetime(),
    repeated: z.boolean().describe('true when it was granted before and this call changed nothing'),
    credit_balance: z.string().describe('the current balance of the user'),
  })
  .meta({
    id: 'Grant',
    description: 'Credits that an operator granted or corrected.',
    examples: [
      {
        id: '0b6f4f9e-6a39-4a7e-8b38-5d4c1f6f9d21',
        user_id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11',
        type: 'bonus',
        amount: '25.000000',
        description: 'Welcome',
        reference_id: 'ticket 7',
        created_at: '2026-03-01T12:00:00.000Z',
        repeated: false,
        credit_balance: '25.000000',
      },
    ],
  })
type Grant = z.infer<typeof Grant>

/**
 * Grants or corrects credits of a user, once per reference.
 * @throws AppError `not_found` when the user does not exist, `conflict` when the reference belongs to another grant,
 * and the errors of `grant`.
 */
export async function grantCredits(
  { db, ledger }: Pick<OperatorContext, 'db' | 'ledger'>,
  request: GrantRequest,
): Promise<Grant> {
  const { user, type, reference = randomUUID(), reason } = request
  const amount = microCredits(request.amount)
  const { _id: user_id } = await findUserByName(db, user)
  const about = { reference_type: REFERENCE_TYPE, reference_id: reference }
  const repeated = (await ledger.about(user_id, reference)).some((entry) => entry.reference_type === REFERENCE_TYPE)
  const entry = await grant(ledger, { user_id, amount, type, reference: about, description: reason })
  if (entry.amount !== amount || entry.type !== type) throw otherGrant(entry)
  const { balance } = await ledger.state(user_id)
  return { ...present(entry), repeated, credit_balance: creditString(balance) }
}

const otherGrant = ({ reference_id, amount, type }: LedgerEntry) =>
  new AppError('conflict', `The reference ${reference_id} was already used for a ${type} of ${creditString(amount)}.`)

const present = ({ _id: id, user_id, type, amount, description, reference_id, created_at }: LedgerEntry) => ({
  id,
  user_id,
  type,
  description,
  reference_id,
  amount: creditString(amount),
  created_at: created_at.toISOString(),
})

const { amount: amountOption, type, reference, reason } = GrantRequest.shape

const grantOperation = operation({
  name: 'grantCredits',
  method: 'POST',
  path: '/grants',
  topic: 'credits',
  summary: 'Grant or correct credits of a user',
  body: GrantRequest,
  answer: Grant,
  meaning: 'The grant',
  status: 201,
  errors: [404, 409],
  run: grantCredits,
  command: {
    words: 'credits grant',
    about: 'grant credits as a bonus, or correct a balance with an adjustment, which may be negative',
    options: GrantRequest.extend({
      user: userOption,
      amount: amountOption.meta(shownAs('credits', 'e.g. 25 or 2.50')),
      type: type.meta(shownAs('type', 'bonus (the default) or adjustment')),
      reference: reference.meta(
        shownAs('text', 'the cause, e.g. a ticket; a second grant with the same reference changes nothing'),
      ),
      reason: reason.meta(shownAs('text', 'shown to the user in their history')),
    }),
    input: (options) => options,
    text({ repeated, amount, reference_id: reference, credit_balance: balance }) {
      return facts({ [repeated ? 'already granted, nothing changed' : 'granted']: amount, reference, balance })
    },
  },
})

export const creditOperations: Operation[] = [grantOperation]
