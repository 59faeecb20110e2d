import type { Collection, Db } from 'mongodb'
import { AppError } from '../../http/errors.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { indexesOf } from '../../mongo/indexes.ts'
import { timeOrderedUuid } from '../../mongo/time.ts'
import { DEFAULT_PRICES, MAX_PRICE, UnitPrices } from './cost.ts'
import { ESTIMATE_SECONDS } from './estimate.ts'

/** Prices that apply from a time until the next rule. Rules never change. */
export type PriceRule = { _id: string; from: Date; prices: UnitPrices; created_at: Date }

/** Two rules must not begin at the same time. */
const priceRulesBy = indexesOf('price_rules', { from: { key: { from: 1 }, unique: true } })

export const priceRuleIndexes = Object.values(priceRulesBy)

/** The prices at a time, and until when they are known to hold. */
type PricesAt = { prices: UnitPrices; until: Date | undefined }

/** The prices of a deployment over time. The default prices apply before the first rule. */
export type PriceRules = {
  /** Returns all rules in the order in which they begin. */
  all(): Promise<PriceRule[]>
  /** Returns the prices that apply to a new job, by the database's clock. */
  current(): Promise<UnitPrices>
  pricesAt(time: Date): Promise<PricesAt>
  /**
   * Adds prices that apply from `from` on.
   * @throws AppError `bad_request` when `from` is too soon for estimates already given, or when a price is not in whole
   * micro-credits; `conflict` when another rule begins at the same time.
   */
  add(prices: UnitPrices, from: Date): Promise<PriceRule>
}

export function createPriceRules(db: Db, now: () => Date = () => new Date()): PriceRules {
  const rules: Collection<PriceRule> = db.collection('price_rules')
  return {
    all: () => rules.find().sort({ from: 1 }).toArray(),

    async current() {
      const begun = { $expr: { $lte: ['$from', '$$NOW'] } }
      return pricesOf(await rules.findOne(begun, { sort: { from: -1 } }))
    },

    async pricesAt(time) {
      const [current, next] = await Promise.all([
        rules.findOne({ from: { $lte: time } }, { sort: { from: -1 } }),
        rules.findOne({ from: { $gt: time } }, { sort: { from: 1 } }),
      ])
      return { prices: pricesOf(current), until: next?.from }
    },

    async add(prices, from) {
      const rule = newRule(prices, from, now())
      try {
        await rules.insertOne(rule)
      } catch (cause) {
        if (!isDuplicateKey(cause)) throw cause
        throw new AppError('conflict', `Other prices begin at ${rule.from.toISOString()} already.`, { cause })
      }
      return rule
    },
  }
}

const pricesOf = (rule: PriceRule | null): UnitPrices => (rule ? UnitPrices.parse(rule.prices) : DEFAULT_PRICES)

function newRule(prices: UnitPrices, from: Date, created_at: Date): PriceRule {
  const parsed = UnitPrices.safeParse(prices)
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path.join('.'))
    throw new AppError('bad_request', `Each price is at most ${MAX_PRICE / 1_000_000} credits: ${names.join(', ')}.`)
  }
  const earliest = new Date(created_at.getTime() + ESTIMATE_SECONDS * 1_000)
  // The condition also rejects an invalid date.
  if (!(from >= earliest)) {
    throw new AppError(
      'bad_request',
      `New prices may begin at ${earliest.toISOString()} or later, when current estimates expire.`,
    )
  }
  return { _id: timeOrderedUuid(), from, prices: parsed.data, created_at }
}
