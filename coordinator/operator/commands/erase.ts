import { UsageError } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { placeKey } from '@placefleet/shared/place-key'
import { z } from 'zod'
import { counted } from '../doctor/findings.ts'
import { erase } from '../erasure.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const author = z.string().regex(/^\d{1,30}$/, 'must be the digits of the page …/contrib/<digits>')
const place = z.string().transform(placeKey).pipe(z.string('must be a place key such as 0x1a:0x2b'))

const ELSEWHERE = 'Backups, files that users downloaded and log files are not changed: see deploy/BACKUP.md.'

const eraseCommand = opsCommand({
  words: 'erase',
  about: "remove a person's reviews, or a business, from all stored places",
  options: z.object({
    author: author.optional().meta(shownAs('id', 'the digits of an author’s page, …/contrib/<digits>')),
    place: place.optional().meta(shownAs('key', 'the key of a place, 0x…:0x…')),
  }),
  async run({ database }, { author, place }) {
    if ((author === undefined) === (place === undefined)) throw new UsageError('Name either --author or --place.')
    const db = await database()
    const subject =
      author === undefined ? { kind: 'place' as const, id: place ?? '' } : { kind: 'author' as const, id: author }
    const erasure = await erase(db, subject)
    const text = `${counted(erasure.places, 'stored place')} changed. The record is ${erasure.record}.\n${ELSEWHERE}`
    return { data: erasure, text }
  },
})

export const eraseCommands: OpsCommand[] = [eraseCommand]
