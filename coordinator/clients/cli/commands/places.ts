import { firstOf } from '@placefleet/client'
import { idOption, limitOption, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { cliCommand } from '../context.ts'
import { placesTable } from '../watch-job.ts'

export const placesCommand = cliCommand({
  words: 'places',
  about: 'the places of a job',
  argument: 'job',
  options: z.object({
    job: idOption('id of the job'),
    web_presence: z
      .string()
      .optional()
      .meta(shownAs('tiers', 'only places of these tiers, e.g. no_website, or none,social')),
    limit: limitOption(500),
    follow: switchOption('print each new place as one line of JSON, until the job ends'),
  }),
  async run({ client, terminal }, { job, web_presence = '', limit, follow }) {
    const { jobs } = client()
    if (follow === true) {
      for await (const place of jobs.follow(job)) terminal.out(`${JSON.stringify(place)}\n`)
      return undefined
    }
    const places = await firstOf(jobs.places(job, { web_presence, limit: Math.min(limit, 100) }), limit)
    return { data: places, text: placesTable(places) }
  },
})
