import { UsageError } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { placeKey } from '@placefleet/shared/place-key'
import { z } from 'zod'
import { eraseSearchedPlace } from '../../coverage/store.ts'
import { eraseKey } from '../../known-places/keys.ts'
import { eraseWatchedPlace } from '../../monitors/changes/store.ts'
import { eraseAuthor, erasePlace } from '../../results/erasure.ts'
import { countJobsListing } from '../../tasks/plan.ts'
import { counted } from '../doctor/words.ts'
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
    const active = place === undefined ? 0 : await countJobsListing(db, place)
    const erasure = author === undefined ? await erasePlace(db, place ?? '') : await eraseAuthor(db, author)
    if (place !== undefined) {
      await eraseKey(db, place)
      await eraseWatchedPlace(db, place)
      await eraseSearchedPlace(db, place)
    }
    const again = `${counted(active, 'recent job')} listed this place and may store it again. Repeat this command after those jobs have ended.`
    const lines = [`${counted(erasure.places, 'stored place')} changed. The record is ${erasure.record}.`, ELSEWHERE]
    return { data: { ...erasure, recent_jobs: active }, text: [...lines, ...(active > 0 ? [again] : [])].join('\n') }
  },
})

export const eraseCommands: OpsCommand[] = [eraseCommand]
