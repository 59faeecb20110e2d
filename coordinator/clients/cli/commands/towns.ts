import { limitOption, shownAs } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { cliCommand } from '../context.ts'
import { columnsOption, listing } from '../listing.ts'

export const townsCommand = cliCommand({
  words: 'towns',
  about: 'towns with their coordinates, the largest first',
  argument: 'name',
  options: z.object({
    name: z.string().min(1).meta(shownAs('name', 'the beginning of the name')),
    limit: limitOption(10),
    columns: columnsOption,
  }),
  async run(context, { name, limit, columns }) {
    const towns = await context.client().towns.search(name, { limit })
    const columnsOf = ({ name, region, country, population, lat, lon }: (typeof towns)[number]) => ({
      name,
      region,
      country,
      population,
      lat,
      lon,
    })
    return listing(context, towns, columnsOf, { columns, none: 'No towns.' })
  },
})
