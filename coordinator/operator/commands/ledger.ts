import { switchOption } from '@placefleet/shared/commands/command'
import { type Environment, readEnv } from '@placefleet/shared/config'
import { secret, urlSetting } from '@placefleet/shared/setting-types'
import { z } from 'zod'
import { findUserByName } from '../../accounts/store.ts'
import { mongoLedgerStore } from '../../billing/ledger/store.ts'
import type { StripeGateway } from '../../billing/purchases/stripe/gateway.ts'
import { verifyWithStripe } from '../../billing/purchases/stripe/verify.ts'
import { recordVerification } from '../../process/maintenance.ts'
import { userOption } from '../operations/users.ts'
import { type OpsCommand, opsCommand } from './context.ts'
import { describeVerification, verifyDatabase } from './verification.ts'

const verifyCommand = opsCommand({
  words: 'ledger verify',
  about: 'recompute every balance and cost from the entries and the stored places; safe at any time',
  options: z.object({
    user: userOption.optional(),
    with_stripe: switchOption('also compare purchases, refunds and disputes with Stripe (STRIPE_SECRET_KEY)'),
  }),
  async run({ database, env }, { user, with_stripe }) {
    const gateway = with_stripe ? await gatewayOf(env) : undefined
    const db = await database()
    const only = user === undefined ? {} : { user_id: (await findUserByName(db, user))._id }
    const verified = await verifyDatabase(db, only)
    const stripe = gateway && (await verifyWithStripe({ db, store: mongoLedgerStore(db), gateway }, only))
    const deviations = [...verified.deviations, ...(stripe?.deviations ?? [])]
    if (user === undefined) await recordVerification(db, deviations.length)
    const verification = { ...verified, deviations }
    const data = { ...verification, ...(stripe && { payments: stripe.compared }) }
    return { data, ...describeVerification(verification, stripe?.compared) }
  },
})

async function gatewayOf(env: Environment): Promise<StripeGateway> {
  const settings = { STRIPE_SECRET_KEY: z.string().meta(secret('')), STRIPE_API_BASE: urlSetting().optional() }
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = readEnv(settings, env)
  const { stripeGateway } = await import('../../billing/purchases/stripe/payments.ts') // a large library that other commands never need
  return stripeGateway({ secretKey, apiBase })
}

export const ledgerCommands: OpsCommand[] = [verifyCommand]
