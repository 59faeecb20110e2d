import { BILLED_EVENTS, type BilledEvent } from '@placefleet/shared/billed-events'
import type { Db } from 'mongodb'
import { z } from 'zod'
import type { PriceRule } from '../billing/ledger/documents.ts'
import { creditString, DEFAULT_PRICES, microCredits, type UnitPrices } from '../billing/prices/cost.ts'
import { createPriceRules } from '../billing/prices/price-rules.ts'
import { AppError } from '../http/errors.ts'

const credits = z.string().describe('credits per unit, with 6 decimals')
const eachPrice = <Schema extends z.ZodType>(schema: Schema) => ({
  job_start: schema,
  place_scraped: schema,
  contact_details: schema,
  review: schema,
  image: schema,
  filters_applied: schema,
})

/** A time with its zone. Without a zone, its meaning would depend on the server. */
export const moment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time, e.g. 2026-07-01T00:00:00Z' })

const pricesExample = {
  job_start: '0.007000',
  place_scraped: '0.003000',
  contact_details: '0.002000',
  review: '0.000500',
  image: '0.000500',
  filters_applied: '0.001000',
}

/** Past, current or future prices. */
export const PriceLine = z
  .object({
    from: z.iso.datetime().optional().describe('when they begin; absent for the first prices'),
    state: z.enum(['past', 'in force', 'coming']),
    prices: z.object(eachPrice(credits) satisfies Record<BilledEvent, unknown>),
  })
  .meta({
    id: 'PriceLine',
    description: 'Unit prices, and when they begin.',
    examples: [{ from: '2026-07-01T00:00:00.000Z', state: 'coming', prices: pricesExample }],
  })
export type PriceLine = z.infer<typeof PriceLine>

/** The prices at a time. */
export const PricePreview = z
  .object({
    at: z.iso.datetime(),
    until: z.iso.datetime().optional().describe('when the next known prices begin; absent when none are known'),
    prices: PriceLine.shape.prices,
  })
  .meta({
    id: 'PricePreview',
    description: 'The prices of a job that is created at the given time.',
    examples: [{ at: '2026-07-01T00:00:00.000Z', prices: pricesExample }],
  })
export type PricePreview = z.infer<typeof PricePreview>

/** The bounds of `UnitPrices`. */
const price = z
  .string()
  .regex(/^(1000(\.0{1,6})?|\d{1,3}(\.\d{1,6})?)$/, 'must be 0 to 1000 credits with at most 6 decimals, e.g. 0.004')

/** New prices. Omitted prices stay unchanged. */
export const SetPricesRequest = z
  .strictObject({
    from: moment.describe('when they begin: at least 15 minutes ahead, because estimates hold that long'),
    job_start: price.optional().describe('per job'),
    place_scraped: price.optional().describe('a place'),
    contact_details: price.optional().describe('per place, with emails'),
    review: price.optional().describe('a review'),
    image: price.optional().describe('per image'),
    filters_applied: price.optional().describe('per place, with a website filter'),
  })
  .meta({
    id: 'SetPricesRequest',
    minProperties: 2, // `from` and at least one price
    description: 'New prices, and when they begin. Omitted prices stay unchanged.',
    examples: [{ from: '2026-07-01T00:00:00Z', place_scraped: '0.004' }],
  })

/** Returns all prices, in the order in which they begin. */
export async function listPrices(db: Db, now = new Date()): Promise<PriceLine[]> {
  const rules = await createPriceRules(db).all()
  const current = rules.findLast((rule) => rule.from <= now)
  const first: PriceLine = { state: current ? 'past' : 'in force', prices: inCredits(DEFAULT_PRICES) }
  return [first, ...rules.map((rule) => line(rule, now, current))]
}

/** Returns the prices of a job that is created at a time. */
export async function previewPrices(db: Db, at: Date): Promise<PricePreview> {
  const { prices, until } = await createPriceRules(db).pricesAt(at)
  const known = until === undefined ? {} : { until: until.toISOString() }
  return { at: at.toISOString(), ...known, prices: inCredits(prices) }
}

/**
 * Sets future prices.
 * @throws AppError `bad_request` without any price, and the errors of `PriceRules.add`.
 */
export async function setPrices(db: Db, request: z.output<typeof SetPricesRequest>): Promise<PriceLine> {
  const { from, ...amounts } = request
  const changes = BILLED_EVENTS.flatMap((type) => {
    const credits = amounts[type]
    return credits === undefined ? [] : [[type, microCredits(credits)]]
  })
  if (changes.length === 0) throw new AppError('bad_request', `Give at least one price: ${BILLED_EVENTS.join(', ')}.`)
  const rules = createPriceRules(db)
  const { prices } = await rules.pricesAt(new Date(from))
  return line(await rules.add({ ...prices, ...Object.fromEntries(changes) }, new Date(from)), new Date())
}

function line(rule: PriceRule, now: Date, current?: PriceRule): PriceLine {
  const state = rule.from > now ? 'coming' : rule === current ? 'in force' : 'past'
  return { from: rule.from.toISOString(), state, prices: inCredits(rule.prices) }
}

const inCredits = (prices: UnitPrices): PriceLine['prices'] => ({
  job_start: creditString(prices.job_start),
  place_scraped: creditString(prices.place_scraped),
  contact_details: creditString(prices.contact_details),
  review: creditString(prices.review),
  image: creditString(prices.image),
  filters_applied: creditString(prices.filters_applied),
})
