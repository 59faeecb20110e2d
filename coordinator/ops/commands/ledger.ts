import { switchOption } from '@placefleet/shared/commands/options'
import { judged, table } from '@placefleet/shared/commands/table'
import { type Environment, readEnv } from '@placefleet/shared/config'
import { secret, urlSetting } from '@placefleet/shared/setting-types'
import { z } from 'zod'
import { findUserByName } from '../../accounts/store.ts'
import { counted } from '../../admin/wording.ts'
import { mongoLedgerStore } from '../../billing/store.ts'
import type { StripeGateway } from '../../billing/stripe/gateway.ts'
import { stripeGateway } from '../../billing/stripe/payments.ts'
import { verifyWithStripe } from '../../billing/stripe/verify.ts'
import { verifyLedger } from '../../billing/verify.ts'
import { jobsOf } from '../../jobs/documents.ts'
import { jobOwners, jobsToVerify } from '../../jobs/reports.ts'
import { recountTotals } from '../../results/store.ts'
import { type OpsCommand, opsCommand } from '../context.ts'
import { userOption } from './users.ts'

const verifyCommand = opsCommand({
  words: 'ledger verify',
  about: 'recompute every balance and cost from the entries and the stored places; safe at any time',
  options: z.object({
    user: userOption.optional(),
    with_stripe: switchOption('also compare purchases, refunds and disputes with Stripe (STRIPE_SECRET_KEY)'),
  }),
  async run({ database, env }, { user, with_stripe }) {
    const gateway = with_stripe ? gatewayOf(env) : undefined
    const db = await database()
    const jobs = jobsOf(db)
    const store = mongoLedgerStore(db)
    const deps = {
      store,
      owners: () => jobOwners(jobs),
      jobsOf: (user_id: string) => jobsToVerify(jobs, user_id),
      storedTotals: (job_id: string) => recountTotals(db, job_id),
    }
    const only = user === undefined ? {} : { user_id: (await findUserByName(db, user))._id }
    const verification = await verifyLedger(deps, only)
    const stripe = gateway && (await verifyWithStripe({ db, store, gateway }, only))
    const { users, entries } = verification
    const deviations = [...verification.deviations, ...(stripe?.deviations ?? [])]
    const failed = deviations.length > 0
    const rows = deviations.map(({ user_id, subject, message }) => [user_id, subject, message])
    const seen = [counted(users, 'user'), counted(entries, 'ledger line'), counted(verification.jobs, 'job')]
    if (stripe) seen.push(counted(stripe.compared, 'payment'))
    const count = `${seen.join(', ')}: ${counted(deviations.length, 'deviation')}`
    const list = failed ? [table(['user', 'what', 'deviation'], rows, '')] : []
    const data = { ...verification, ...(stripe ? { payments: stripe.compared } : {}), deviations }
    return { data, text: [...list, judged(!failed, count)].join('\n'), failed }
  },
})

/** Creates the Stripe gateway with the settings of the coordinator. */
function gatewayOf(env: Environment): StripeGateway {
  const settings = { STRIPE_SECRET_KEY: z.string().meta(secret('')), STRIPE_API_BASE: urlSetting().optional() }
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = readEnv(settings, env)
  return stripeGateway({ secretKey, apiBase })
}

export const ledgerCommands: OpsCommand[] = [verifyCommand]
