import { join } from 'node:path'
import { UsageError } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { backUp } from '../../backup/backup.ts'
import { restore } from '../../backup/restore.ts'
import { backupName, removeExpiredBackups } from '../../backup/retention.ts'
import { indexes } from '../../indexes.ts'
import { recordBackup, recordVerification } from '../../process/maintenance.ts'
import { counted } from '../doctor/findings.ts'
import { type OpsCommand, opsCommand } from './context.ts'
import { describeVerification, verifyDatabase } from './verification.ts'

const directory = (description: string) => z.string().min(1).meta(shownAs('dir', description))

const KEY_IS_NOT_IN_IT =
  'SECRETS_KEY is not in the backup. Keep it elsewhere: without it, webhooks and proxies cannot be decrypted.'

const days = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 9999')
  .transform(Number)

const backupCommand = opsCommand({
  words: 'backup',
  about: 'write all data into a directory, consistent while jobs run',
  options: z.object({
    out: directory('a new or empty directory').optional(),
    into: directory('a directory of backups: this one gets a directory named by its time').optional(),
    keep_days: days.optional().meta(shownAs('days', 'with --into: then remove the backups there that are older')),
  }),
  async run({ connect }, { out, into, keep_days }) {
    if ((out === undefined) === (into === undefined)) throw new UsageError('Name either --out or --into.')
    if (into === undefined && keep_days !== undefined) throw new UsageError('--keep-days needs --into.')
    const now = new Date()
    const dir = out ?? join(into ?? '', backupName(now))
    const db = await connect()
    const manifest = await backUp(db, dir)
    await recordBackup(db)
    const removed = into && keep_days ? await removeExpiredBackups(into, now, keep_days) : []
    const rows = manifest.files.map((file) => [file.collection, file.documents, file.bytes])
    const lines = [
      `The backup is in ${dir}.`,
      ...removed.map((name) => `Removed the old backup ${name}.`),
      KEY_IS_NOT_IN_IT,
    ]
    const text = `${table(['collection', 'documents', 'bytes'], rows, '')}\n\n${lines.join('\n')}`
    return { data: { ...manifest, directory: dir, removed, note: KEY_IS_NOT_IN_IT }, text }
  },
})

const restoreCommand = opsCommand({
  words: 'restore',
  about: 'restore a backup into an empty database, then verify the ledger',
  options: z.object({ from: directory('the directory of a backup') }),
  async run({ connect }, { from }) {
    const db = await connect()
    const { manifest, restored, skipped } = await restore(db, from, indexes)
    const verification = await verifyDatabase(db)
    await recordVerification(db, verification.deviations.length)
    const { text: summary, failed } = describeVerification(verification)
    const documents = Object.values(restored).reduce((sum, count) => sum + count, 0)
    const left = skipped === 0 ? '' : `\n${counted(skipped, 'document')} not restored: changed during the backup.`
    const key = manifest.secrets_key_id ? ` Start coordinators with the SECRETS_KEY ${manifest.secrets_key_id}.` : ''
    const text = `${counted(documents, 'document')} of ${manifest.began_at} restored.${key}${left}\n${summary}`
    return { data: { restored, skipped, verification }, text, failed }
  },
})

export const backupCommands: OpsCommand[] = [backupCommand, restoreCommand]
