import { randomUUID } from 'node:crypto'
import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { type PriceRule, priceRules } from './documents.ts'
import { ESTIMATE_SECONDS } from './estimate.ts'
import { DEFAULT_PRICES, UnitPrices } from './unit-prices.ts'

/** The prices at some time, and until when they are known to hold. */
export type PricesAt = { prices: UnitPrices; until: Date | undefined }

/** The deployment's prices over time. Before the first rule, SPEC's default prices are in force. */
export type PriceRules = {
  /** The prices in force at a time. */
  pricesAt(time: Date): Promise<PricesAt>
  /**
   * Adds the prices that are in force from `from` on.
   * @throws AppError `bad_request` when that is too soon for estimates already given, or the prices are not whole
   * micro-credits; `conflict` when another rule begins at the same moment.
   */
  add(prices: UnitPrices, from: Date): Promise<PriceRule>
}

/** The price rules of a deployment. */
export function createPriceRules(db: Db, now: () => Date = () => new Date()): PriceRules {
  const rules = priceRules(db)
  return {
    async pricesAt(time) {
      const [current, next] = await Promise.all([
        rules.findOne({ from: { $lte: time } }, { sort: { from: -1 } }),
        rules.findOne({ from: { $gt: time } }, { sort: { from: 1 } }),
      ])
      return { prices: current ? UnitPrices.parse(current.prices) : DEFAULT_PRICES, until: next?.from }
    },
    async add(prices, from) {
      const rule = newRule(prices, from, now())
      try {
        await rules.insertOne(rule)
        return rule
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        throw new AppError('conflict', `Other prices begin at ${from.toISOString()} already.`, { cause: error })
      }
    },
  }
}

function newRule(prices: UnitPrices, from: Date, created_at: Date): PriceRule {
  const parsed = UnitPrices.safeParse(prices)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new AppError('bad_request', `The prices are wrong: ${faults.join('; ')}`)
  }
  const earliest = new Date(created_at.getTime() + ESTIMATE_SECONDS * 1_000)
  // Written so that an invalid date is refused as well.
  if (!(from >= earliest)) {
    throw new AppError(
      'bad_request',
      `New prices may begin at ${earliest.toISOString()} or later: estimates hold so long.`,
    )
  }
  return { _id: randomUUID(), from, prices: parsed.data, created_at }
}
