import { z } from 'zod'

const example = { name: 'Limassol', country: 'CY', region: '05', lat: 34.68406, lon: 33.03794, population: 154_000 }

/** A town in the results. */
const Town = z
  .object({
    name: z.string(),
    country: z.string().describe('ISO 3166 code of two letters'),
    region: z.string().describe("the region's code within the country; distinguishes towns of the same name"),
    lat: z.number(),
    lon: z.number(),
    population: z.int(),
  })
  .meta({
    id: 'Town',
    description: 'A town of the GeoNames list.',
    examples: [example],
  })

export type Town = z.infer<typeof Town>

export const TownList = z.object({ towns: z.array(Town) }).meta({
  id: 'TownList',
  description: 'Towns, the best matches first.',
  examples: [{ towns: [example] }],
})

/** The most towns in an answer. */
export const MOST_TOWNS = 20

/** What names a town. */
export const TownSearch = z
  .string()
  .min(1)
  .max(100)
  .describe('the beginning of the name, in any letter case, with or without accents')
