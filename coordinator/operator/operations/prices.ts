import { BILLED_EVENTS, eachEvent } from '@placefleet/shared/billed-events'
import { UsageError } from '@placefleet/shared/command-line'
import { flagOf, shownAs } from '@placefleet/shared/commands/command'
import { facts, table } from '@placefleet/shared/commands/table'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { creditString, DEFAULT_PRICES, microCredits, type UnitPrices } from '../../billing/prices/cost.ts'
import type { PriceRule } from '../../billing/prices/price-rules.ts'
import { createPriceRules } from '../../billing/prices/price-rules.ts'
import { AppError } from '../../http/errors.ts'
import { type Operation, operation } from '../operation.ts'

const credits = z.string().describe('credits per unit, with 6 decimals')

/** A time with its zone. Without a zone, its meaning would depend on the server. */
const moment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time, e.g. 2026-07-01T00:00:00Z' })

const pricesExample = {
  job_start: '0.007000',
  place_scraped: '0.003000',
  contact_details: '0.002000',
  review: '0.000500',
  image: '0.000500',
  filters_applied: '0.001000',
}

const PriceLine = z
  .object({
    from: z.iso.datetime().optional().describe('when they begin; absent for the first prices'),
    state: z.enum(['past', 'in force', 'coming']),
    prices: z.object(eachEvent(() => credits)),
  })
  .meta({
    id: 'PriceLine',
    description: 'Unit prices, and when they begin.',
    examples: [{ from: '2026-07-01T00:00:00.000Z', state: 'coming', prices: pricesExample }],
  })
type PriceLine = z.infer<typeof PriceLine>

const PricePreview = z
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
type PricePreview = z.infer<typeof PricePreview>

/** The bounds of `UnitPrices`. */
const price = z
  .string()
  .regex(/^(1000(\.0{1,6})?|\d{1,3}(\.\d{1,6})?)$/, 'must be 0 to 1000 credits with at most 6 decimals, e.g. 0.004')

const UNITS = {
  job_start: 'per job',
  place_scraped: 'a place',
  contact_details: 'per place, with emails',
  review: 'a review',
  image: 'per image',
  filters_applied: 'per place, with a website filter',
}

/** New prices. Omitted prices stay unchanged. */
const SetPricesRequest = z
  .strictObject({
    from: moment.describe('when they begin: at least 15 minutes ahead, because estimates hold that long'),
    ...eachEvent((event) => price.optional().describe(UNITS[event])),
  })
  .meta({
    id: 'SetPricesRequest',
    minProperties: 2, // `from` and at least one price
    description: 'New prices, and when they begin. Omitted prices stay unchanged.',
    examples: [{ from: '2026-07-01T00:00:00Z', place_scraped: '0.004' }],
  })

const PriceList = z.object({ prices: z.array(PriceLine) }).meta({
  id: 'PriceList',
  description: 'All prices, in the order in which they begin.',
  examples: [{ prices: PriceLine.meta()?.examples ?? [] }],
})

const list = operation({
  name: 'listPrices',
  method: 'GET',
  path: '/prices',
  topic: 'credits',
  summary: 'List all prices',
  answer: PriceList,
  meaning: 'Past, current and future prices',
  run: async ({ db }) => ({ prices: await listPrices(db) }),
  command: {
    words: 'prices list',
    about: 'all prices, in the order in which they begin',
    options: z.object({}),
    input: () => ({}),
    json: ({ prices }) => prices,
    text: ({ prices }) => drawn(prices),
  },
})

const EXAMPLE = shownAs('time', 'e.g. 2026-07-01T00:00:00Z')

const preview = operation({
  name: 'previewPrices',
  method: 'GET',
  path: '/prices/preview',
  topic: 'credits',
  summary: 'Get the prices at a time',
  query: z.strictObject({ at: moment.describe('the time at which the job would be created') }),
  answer: PricePreview,
  meaning: 'The prices at that time',
  run: ({ db }, { at }) => previewPrices(db, new Date(at)),
  command: {
    words: 'prices preview',
    about: 'the prices of a job created at a given time, and until when they are known to hold',
    options: z.object({ at: moment.meta(EXAMPLE) }),
    input: (options) => options,
    text: ({ at, until = 'further notice', prices }) => facts({ at, until, ...prices }),
  },
})

const set = operation({
  name: 'setPrices',
  method: 'POST',
  path: '/prices',
  topic: 'credits',
  summary: 'Set future prices',
  body: SetPricesRequest,
  answer: PriceLine,
  meaning: 'The new prices',
  status: 201,
  errors: [409],
  run: ({ db }, request) => setPrices(db, request),
  command: {
    words: 'prices set',
    about: 'set prices from a time on, at least 15 minutes ahead; prices not given stay unchanged',
    options: z.object({
      from: moment.meta(EXAMPLE),
      ...eachEvent((event) => price.optional().meta(shownAs('credits', UNITS[event]))),
    }),
    input(options) {
      const isGiven = BILLED_EVENTS.some((type) => options[type] !== undefined)
      if (!isGiven) throw new UsageError(`Give at least one price: ${BILLED_EVENTS.map(flagOf).join(', ')}`)
      return options
    },
    text: (line) => drawn([line]),
  },
})

export const priceOperations: Operation[] = [list, preview, set]

async function listPrices(db: Db, now = new Date()): Promise<PriceLine[]> {
  const rules = await createPriceRules(db).all()
  const current = rules.findLast((rule) => rule.from <= now)
  const first: PriceLine = { state: current ? 'past' : 'in force', prices: inCredits(DEFAULT_PRICES) }
  return [first, ...rules.map((rule) => line(rule, now, current))]
}

async function previewPrices(db: Db, at: Date): Promise<PricePreview> {
  const { prices, until } = await createPriceRules(db).pricesAt(at)
  const known = until === undefined ? {} : { until: until.toISOString() }
  return { at: at.toISOString(), ...known, prices: inCredits(prices) }
}

/**
 * Sets future prices.
 * @throws AppError `bad_request` without any price, and the errors of `PriceRules.add`.
 */
async function setPrices(db: Db, request: z.output<typeof SetPricesRequest>): Promise<PriceLine> {
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

const inCredits = (prices: UnitPrices): PriceLine['prices'] => eachEvent((event) => creditString(prices[event]))

const drawn = (lines: PriceLine[]) =>
  table(
    ['from', 'state', ...BILLED_EVENTS],
    lines.map(({ from, state, prices }) => [
      from ?? 'the beginning',
      state,
      ...BILLED_EVENTS.map((type) => prices[type]),
    ]),
    '',
  )
