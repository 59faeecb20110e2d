import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parsedJson } from '@placefleet/shared/text'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'
import { ArchiveFile } from './archive.ts'

const FORMAT = 1
const NAME = 'manifest.json'

/** The contents of a backup. It is written last, so a directory without a manifest is an incomplete backup. */
const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The release that took the backup. */
  placefleet: z.string(),
  schema_version: z.int(),
  began_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  /** The id of the SECRETS_KEY that its secrets are encrypted with. The key itself is not in the backup. */
  secrets_key_id: z.string().optional(),
  files: z.array(ArchiveFile),
  /** Copied jobs that were deleted during the backup. A restore leaves them out. */
  deleted_jobs: z.array(z.string()),
  /** The omitted collections, and why. */
  left_out: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof Manifest>

export async function writeManifest(dir: string, manifest: Omit<Manifest, 'format'>): Promise<Manifest> {
  const complete = { format: FORMAT, ...manifest } as const
  await writeFile(join(dir, NAME), `${JSON.stringify(complete, undefined, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  return complete
}

/**
 * Reads the manifest of a backup.
 * @throws AppError `conflict` when the directory holds no complete backup that this release can read.
 */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, NAME)
  const text = await readFile(path, 'utf8').catch((cause) => {
    const text = `${path} cannot be read, so ${dir} holds no complete backup: ${cause.message}`
    throw new AppError('conflict', text, { cause })
  })
  const read = Manifest.safeParse(parsedJson(text))
  if (read.success) return read.data
  throw new AppError('conflict', `${path} is not a manifest that this release can read. Use the release that wrote it.`)
}

/** The collections that a backup omits, and why. */
export const LEFT_OUT: Record<string, string> = {
  sessions: 'users sign in again',
  sign_ins: 'valid for minutes',
  limits: 'rate limits of seconds and hours, and open streams',
  job_counts: 'made again from the jobs',
  coordinators: 'they register at their start',
  agents: 'they register again',
}

/** The documents of the collection `deployment` that describe this database only. */
export const MARKS = ['restore', 'doctor', 'maintenance']
