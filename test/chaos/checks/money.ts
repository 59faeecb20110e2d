import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { costWith, creditString, microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Job } from '@placefleet/shared/job'
import { z } from 'zod'
import type { Fleet } from '../fleet/fleet.ts'
import type { Client, Order, User } from '../users/user.ts'
import type { Expect } from './violation.ts'

const OPS = join(import.meta.dirname, '..', '..', '..', 'coordinator', 'operator', 'main.ts')
const Verification = z.object({ deviations: z.array(z.looseObject({})) })
const Transactions = z.object({
  transactions: z.array(z.object({ type: z.string(), amount: z.string(), reference_id: z.string() })),
  has_more: z.boolean(),
})
const Costs = z.object({ total_credits: z.string(), items: z.array(z.object({ cost_credits: z.string() })) })

const CHECK = 'every charge right and single'

/** Checks that every charge is right and single: by the operator's own audit, and by what users are shown. */
export async function checkMoney(
  { db, mongo }: Fleet,
  users: readonly User[],
  jobs: ReadonlyMap<Order, Job>,
  clientOf: (user: User) => Client,
  expect: Expect,
): Promise<void> {
  for (const deviation of await deviationsOf(mongo.url)) expect(CHECK, false, JSON.stringify(deviation))
  const ledger = createLedger(mongoLedgerStore(db))
  const holds = createHolds(ledger)
  // Every job, also a deleted one, was charged for its stored places and has no hold.
  for await (const job of jobsOf(db).find()) {
    const { charged = 0, settled, held } = (await holds.of(job.user_id, job._id)) ?? {}
    const sums = [charged, job.total_cost ?? 0, costWith(job, job.totals)].map(creditString)
    const about = `${job.name} (${job._id}, ${job.status}${job.listed ? '' : ', deleted'})`
    expect(CHECK, new Set(sums).size === 1, `${about}: charged, recorded and due are ${sums.join(', ')}`)
    expect(CHECK, settled === true && held === 0, `${about}: its hold of ${held} is not settled`)
  }
  for (const user of users) {
    const { held } = await ledger.state(user.user_id)
    expect(CHECK, held === 0, `${user.name} still has ${creditString(held)} held`)
    const charged = await chargesOf(clientOf(user))
    for (const [order, job] of jobs) {
      if (order.user !== user) continue
      const costs = Costs.parse((await clientOf(user).costs(order)).answer.body)
      const items = costs.items.reduce((sum, { cost_credits }) => sum + microCredits(cost_credits), 0)
      const sums = [creditString(charged.get(job.id) ?? 0), job.total_cost, costs.total_credits, creditString(items)]
      const about = `${order.request.name} (${job.id}): charged, shown, reported and itemised are ${sums.join(', ')}`
      expect(CHECK, new Set(sums).size === 1 || job.status === 'failed', about)
    }
  }
}

async function deviationsOf(MONGODB_URL: string): Promise<object[]> {
  const env = { ...process.env, MONGODB_URL }
  const run = promisify(execFile)(process.execPath, [OPS, 'ledger', 'verify', '--json'], { env, maxBuffer: 1e8 })
  // It exits with 1 when it found something, and prints that all the same.
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }))
  return Verification.parse(JSON.parse(stdout)).deviations
}

/** Returns the charges of a user by job, in micro-credits, from their history. */
async function chargesOf(client: Client): Promise<Map<string, number>> {
  const charges = new Map<string, number>()
  for (let page = 1; ; page++) {
    const { transactions, has_more } = Transactions.parse((await client.history(page)).answer.body)
    for (const { type, amount, reference_id } of transactions) {
      if (type !== 'consumption') continue
      charges.set(reference_id, (charges.get(reference_id) ?? 0) + microCredits(amount.replace('-', '')))
    }
    if (!has_more) return charges
  }
}
