import type { AllowHosts } from '@placefleet/shared/egress/target'
import { checkProxyUrl } from '@placefleet/shared/proxy-url'
import type { Collection, Db } from 'mongodb'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'
import { collection } from '../mongo/connect.ts'
import type { SealedField } from '../secrets/documents.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

// The user's own proxies of a job or a monitor. Their URLs hold passwords, so they are stored encrypted.

/**
 * Rejects proxies that are malformed or point into a private network.
 * @throws AppError `bad_request`. It names each proxy by its index, because URLs may hold passwords.
 */
export function checkProxies(proxies: string[], allow: AllowHosts): void {
  const details = proxies.flatMap((proxy, index) => {
    const message = checkProxyUrl(proxy, allow)
    return message === undefined ? [] : [{ path: `proxies.${index}`, message }]
  })
  const [first] = details
  if (first) throw new AppError('bad_request', `${first.path}: ${first.message}`, { details })
}

/** Encrypts proxies. Undefined: there are none. */
export const sealProxies = (secrets: SecretBox, proxies: readonly string[]): string | undefined =>
  proxies.length === 0 ? undefined : secrets.seal(JSON.stringify(proxies))

const Proxies = z.array(z.string())

/** Decrypts proxies. */
export const openProxies = (secrets: SecretBox, sealed: string): string[] =>
  Proxies.parse(JSON.parse(secrets.open(sealed)))

/**
 * The encrypted proxies of a job that has not ended. They are apart from the job, so that no read of jobs reads them, and
 * they go when the job ends.
 */
type JobProxiesDocument = { _id: string; sealed: string }

export const jobProxiesOf = (db: Db): Collection<JobProxiesDocument> => collection(db, 'job_proxies')

export const jobSealedFields: readonly SealedField[] = [{ collection: 'job_proxies', field: 'sealed' }]

export type JobProxies = ReturnType<typeof createJobProxies>

/** Creates the store of the jobs' proxies. Every call is safe to repeat. */
export function createJobProxies(db: Db) {
  const documents = jobProxiesOf(db)
  return {
    async keep(job_id: string, sealed: string): Promise<void> {
      await documents.updateOne({ _id: job_id }, { $set: { sealed } }, { upsert: true })
    },

    find: async (job_id: string): Promise<string | undefined> => (await documents.findOne({ _id: job_id }))?.sealed,

    async remove(job_id: string): Promise<void> {
      await documents.deleteOne({ _id: job_id })
    },
  }
}
