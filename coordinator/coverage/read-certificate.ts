import type { Db } from 'mongodb'
import type { z } from 'zod'
import { orNotFound } from '../http/errors.ts'
import { type CertifiedJob, certificateOf, sumCells } from './certificate.ts'
import type { CoverageCertificate } from './schema.ts'
import { auditedCells, seenCells } from './store.ts'

export type CertificateDeps = {
  db: Db
  /** Returns a job of this user, unless it is deleted. */
  findCertified(user_id: string, job_id: string): Promise<CertifiedJob | undefined>
}

/**
 * Returns how completely a job searched its area.
 * @throws AppError `not_found`.
 */
export async function readCertificate(
  { db, findCertified }: CertificateDeps,
  user_id: string,
  job_id: string,
): Promise<z.infer<typeof CoverageCertificate>> {
  const job = orNotFound(await findCertified(user_id, job_id), 'job')
  const audited = job.coverage === 'audited' ? await auditedCells(db, job_id) : []
  return certificateOf(job, await sumCells(seenCells(db, job_id)), audited)
}
