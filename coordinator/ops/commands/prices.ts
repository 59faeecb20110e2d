import { UsageError } from '@placefleet/shared/command-line'
import { z } from 'zod'
import type { PriceRule } from '../../billing/documents.ts'
import { creditString } from '../../billing/money.ts'
import { createPriceRules } from '../../billing/price-rules.ts'
import { listPriceRules } from '../../billing/store.ts'
import { BILLED_EVENTS, type BilledEvent, DEFAULT_PRICES, type UnitPrices } from '../../billing/unit-prices.ts'
import { flagOf, type OpsCommand, opsCommand } from '../command.ts'
import { creditsOption, shownAs } from '../options.ts'
import { facts, table } from '../table.ts'

const price = (what: string) => creditsOption().optional().meta(shownAs('credits', what))

/** A time with its zone. Without a zone it would depend on where the command runs. */
const time = (example: string) =>
  z.iso
    .datetime({ offset: true, error: `must be an ISO 8601 time, e.g. ${example}` })
    .meta(shownAs('time', `e.g. ${example}`))

const newPrices = {
  job_start: price('per job'),
  place_scraped: price('per place'),
  contact_details: price('per place, with emails'),
  review: price('per review'),
  image: price('per image'),
  filters_applied: price('per place, with a website filter'),
} satisfies Record<BilledEvent, unknown>

const setPricesCommand = opsCommand({
  words: 'prices set',
  about: 'set prices from a time on, at least 15 minutes ahead; prices not given stay unchanged',
  options: z.object({
    from: time('2026-07-01T00:00:00Z'),
    ...newPrices,
  }),
  async run({ databaseForWriting }, { from, ...given }) {
    const changed = BILLED_EVENTS.filter((type) => given[type] !== undefined)
    if (changed.length === 0) throw new UsageError(`Give at least one price: ${BILLED_EVENTS.map(flagOf).join(', ')}`)
    const rules = createPriceRules(await databaseForWriting())
    const time = new Date(from)
    const { prices } = await rules.pricesAt(time)
    const rule = await rules.add({ ...prices, ...Object.fromEntries(changed.map((type) => [type, given[type]])) }, time)
    return { data: shown(rule, new Date()), text: drawn([shown(rule, new Date())]) }
  },
})

const listPricesCommand = opsCommand({
  words: 'prices list',
  about: 'all prices, in the order in which they begin',
  options: z.object({}),
  async run({ database }) {
    const rules = await listPriceRules(await database())
    const now = new Date()
    const current = rules.findLast((rule) => rule.from <= now)
    const first = { from: undefined, state: current ? 'past' : 'in force', prices: inCredits(DEFAULT_PRICES) }
    const lines = [first, ...rules.map((rule) => shown(rule, now, current))]
    return { data: lines, text: drawn(lines) }
  },
})

const previewPricesCommand = opsCommand({
  words: 'prices preview',
  about: 'the prices of a job created at a given time, and until when they are known to hold',
  options: z.object({ at: time('2026-07-01T00:00:00Z') }),
  async run({ database }, { at }) {
    const { prices, until } = await createPriceRules(await database()).pricesAt(new Date(at))
    const shownPrices = inCredits(prices)
    const text = facts({ at: new Date(at), until: until ?? 'further notice', ...shownPrices })
    return { data: { at: new Date(at), until, prices: shownPrices }, text }
  },
})

type Line = { from: Date | undefined; state: string; prices: Record<BilledEvent, string> }

function shown(rule: PriceRule, now: Date, current?: PriceRule): Line {
  const state = rule.from > now ? 'coming' : rule === current ? 'in force' : 'past'
  return { from: rule.from, state, prices: inCredits(rule.prices) }
}

const inCredits = (prices: UnitPrices): Record<BilledEvent, string> => ({
  job_start: creditString(prices.job_start),
  place_scraped: creditString(prices.place_scraped),
  contact_details: creditString(prices.contact_details),
  review: creditString(prices.review),
  image: creditString(prices.image),
  filters_applied: creditString(prices.filters_applied),
})

const drawn = (lines: Line[]) =>
  table(
    ['from', 'state', ...BILLED_EVENTS],
    lines.map(({ from, state, prices }) => [
      from ?? 'the beginning',
      state,
      ...BILLED_EVENTS.map((type) => prices[type]),
    ]),
    '',
  )

export const priceCommands: OpsCommand[] = [listPricesCommand, previewPricesCommand, setPricesCommand]
