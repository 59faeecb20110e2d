import type { AllowHosts } from '@placefleet/shared/egress/target'
import { checkProxyUrl, proxyIn } from '@placefleet/shared/proxy-url'
import type { Collection, Db } from 'mongodb'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'
import { collection } from '../mongo/connect.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { SealedField } from '../secrets/store.ts'

// The user's own proxies of a job or a monitor. Their URLs hold passwords, so they are stored encrypted.

/**
 * Reads proxies in any form, and returns their URLs. Empty lines and comments are left out, but may not be all: then a
 * job would run without the proxies that its user meant.
 * @throws AppError `bad_request` for proxies that are malformed or point into a private network. It names each by its
 * index and line, because it may hold a password.
 */
export function readProxies(lines: readonly string[], allow: AllowHosts): string[] {
  const details: { path: string; message: string }[] = []
  const urls = lines.flatMap((line, index) => {
    if (proxyIn(line) === '') return []
    const checked = checkProxyUrl(line, allow)
    if ('url' in checked) return [checked.url]
    details.push({ path: `proxies.${index}`, message: `Line ${index + 1}: ${checked.message}` })
    return []
  })
  if (lines.length > 0 && urls.length + details.length === 0) {
    details.push({ path: 'proxies', message: 'The list has no proxy, only empty lines and comments.' })
  }
  const [first] = details
  if (first) throw new AppError('bad_request', `${first.path}: ${first.message}`, { details })
  return urls
}

/** Encrypts proxies. Undefined: there are none. */
export const sealProxies = (secrets: SecretBox, proxies: readonly string[]): string | undefined =>
  proxies.length === 0 ? undefined : secrets.seal(JSON.stringify(proxies))

const Proxies = z.array(z.string())

/** Decrypts proxies. */
export const openProxies = (secrets: SecretBox, sealed: string): string[] =>
  Proxies.parse(JSON.parse(secrets.open(sealed)))

/**
 * The encrypted proxies of a job that has not ended. They are apart from the job, so that no read of jobs reads them,
 * and they go when the job ends.
 */
type JobProxiesDocument = { _id: string; sealed: string }

export const jobProxiesOf = (db: Db): Collection<JobProxiesDocument> => collection(db, 'job_proxies')

export const jobSealedFields: readonly SealedField[] = [{ collection: 'job_proxies', field: 'sealed' }]

export async function keepProxies(db: Db, job_id: string, sealed: string): Promise<void> {
  await jobProxiesOf(db).updateOne({ _id: job_id }, { $set: { sealed } }, { upsert: true })
}

export const findProxies = async (db: Db, job_id: string): Promise<string | undefined> =>
  (await jobProxiesOf(db).findOne({ _id: job_id }))?.sealed

export async function removeProxies(db: Db, job_id: string): Promise<void> {
  await jobProxiesOf(db).deleteOne({ _id: job_id })
}
