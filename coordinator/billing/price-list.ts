import type { Db } from 'mongodb'
import { type PriceRule, priceRules } from './documents.ts'

/** All price rules in the order in which they begin. Before the first, the default prices are in force. */
export function listPriceRules(db: Db): Promise<PriceRule[]> {
  return priceRules(db).find().sort({ from: 1 }).toArray()
}
