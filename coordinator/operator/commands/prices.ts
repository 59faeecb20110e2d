import { BILLED_EVENTS } from '@placefleet/shared/billed-events'
import { UsageError } from '@placefleet/shared/command-line'
import { flagOf, shownAs } from '@placefleet/shared/commands/command'
import { facts, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { listPrices, moment, type PriceLine, previewPrices, SetPricesRequest, setPrices } from '../prices.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const EXAMPLE = shownAs('time', 'e.g. 2026-07-01T00:00:00Z')
const { job_start, place_scraped, contact_details, review, image, filters_applied } = SetPricesRequest.shape

const setPricesCommand = opsCommand({
  words: 'prices set',
  about: 'set prices from a time on, at least 15 minutes ahead; prices not given stay unchanged',
  options: z.object({
    from: moment.meta(EXAMPLE),
    job_start: job_start.meta(shownAs('credits', 'per job')),
    place_scraped: place_scraped.meta(shownAs('credits', 'per place')),
    contact_details: contact_details.meta(shownAs('credits', 'per place, with emails')),
    review: review.meta(shownAs('credits', 'per review')),
    image: image.meta(shownAs('credits', 'per image')),
    filters_applied: filters_applied.meta(shownAs('credits', 'per place, with a website filter')),
  }),
  async run({ database }, request) {
    const isGiven = BILLED_EVENTS.some((type) => request[type] !== undefined)
    if (!isGiven) throw new UsageError(`Give at least one price: ${BILLED_EVENTS.map(flagOf).join(', ')}`)
    const line = await setPrices(await database(), request)
    return { data: line, text: drawn([line]) }
  },
})

const listPricesCommand = opsCommand({
  words: 'prices list',
  about: 'all prices, in the order in which they begin',
  options: z.object({}),
  async run({ database }) {
    const lines = await listPrices(await database())
    return { data: lines, text: drawn(lines) }
  },
})

const previewPricesCommand = opsCommand({
  words: 'prices preview',
  about: 'the prices of a job created at a given time, and until when they are known to hold',
  options: z.object({ at: moment.meta(EXAMPLE) }),
  async run({ database }, { at }) {
    const preview = await previewPrices(await database(), new Date(at))
    const text = facts({ at: preview.at, until: preview.until ?? 'further notice', ...preview.prices })
    return { data: preview, text }
  },
})

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

export const priceCommands: OpsCommand[] = [listPricesCommand, previewPricesCommand, setPricesCommand]
