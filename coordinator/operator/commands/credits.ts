import { shownAs } from '@placefleet/shared/commands/command'
import { facts } from '@placefleet/shared/commands/table'
import { GrantRequest, grantCredits } from '../grants.ts'
import { type OpsCommand, opsCommand } from './context.ts'
import { userOption } from './users.ts'

const { amount, type, reference, reason } = GrantRequest.shape

const grantCommand = opsCommand({
  words: 'credits grant',
  about: 'grant credits as a bonus, or correct a balance with an adjustment, which may be negative',
  options: GrantRequest.extend({
    user: userOption,
    amount: amount.meta(shownAs('credits', 'e.g. 25 or 2.50')),
    type: type.meta(shownAs('type', 'bonus (the default) or adjustment')),
    reference: reference.meta(
      shownAs('text', 'the cause, e.g. a ticket; a second grant with the same reference changes nothing'),
    ),
    reason: reason.meta(shownAs('text', 'shown to the user in their history')),
  }),
  async run({ database }, request) {
    const granted = await grantCredits(await database(), request)
    const words = granted.repeated ? 'already granted, nothing changed' : 'granted'
    const { amount, reference_id: reference, credit_balance: balance } = granted
    return { data: granted, text: facts({ [words]: amount, reference, balance }) }
  },
})

export const creditCommands: OpsCommand[] = [grantCommand]
