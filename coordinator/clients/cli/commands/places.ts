import { firstOf } from '@placefleet/client'
import { UsageError } from '@placefleet/shared/command-line'
import { idOption, limitOption, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { parseWebPresenceQuery } from '@placefleet/shared/web-presence/tiers'
import { z } from 'zod'
import { type CliContext, cliCommand } from '../context.ts'
import { columnsOption, listing } from '../listing.ts'
import { placeColumns } from '../watch-job.ts'

export const placesCommand = cliCommand({
  words: 'places',
  about: 'the places of a job',
  argument: 'job',
  options: z.object({
    job: idOption('id of the job'),
    web_presence: z
      .string()
      .optional()
      .meta(shownAs('kinds', 'only places with these kinds of website, e.g. no_website, or none,social')),
    limit: limitOption(500),
    columns: columnsOption,
    follow: switchOption('print each new place as one line of JSON, until the job ends'),
  }),
  async run(context, { job, web_presence = '', limit, columns, follow }) {
    const { jobs } = context.client()
    if (follow === true) {
      await followPlaces(context, job, { web_presence, limit })
      return undefined
    }
    const places = await firstOf(jobs.places(job, { web_presence, limit: Math.min(limit, 100) }), limit)
    return listing(context, places, placeColumns, { columns, none: 'No places.' })
  },
})

/** Prints each place while it is stored, at most `limit`, and only those of the tiers. */
async function followPlaces(
  { client, terminal }: CliContext,
  job: string,
  { web_presence, limit }: { web_presence: string; limit: number },
): Promise<void> {
  const wanted = parseWebPresenceQuery(web_presence)
  if (!wanted.ok) throw new UsageError(`--web-presence: ${wanted.unknown} is not a tier.`)
  let left = limit
  for await (const place of client().jobs.follow(job)) {
    if (!wanted.tiers.includes(place.web_presence)) continue
    terminal.out(`${JSON.stringify(place)}\n`)
    left--
    if (left === 0) return
  }
}
