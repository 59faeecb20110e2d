import type { Job } from '../jobs/job-queries.ts'
import type { jobTexts } from '../texts/job.ts'

type JobTexts = (typeof jobTexts)['en']

/** What happens with a job now, or how it ended, in a sentence. */
export function happening(job: Job, t: JobTexts): string {
  if (job.status === 'pending') return t.now.pending
  if (job.status === 'running') return job.progress.discovered === 0 ? t.now.searching : t.now.collecting
  if (job.status === 'aborting') return t.now.aborting
  if (job.status === 'failed') return reasonFor(job, t)
  if (job.status === 'cancelled') {
    return job.cancel_reason === 'timeout' ? t.now.cancelledByTimeout : t.now.cancelledByUser
  }
  if (job.partial) return t.now.partial
  return job.result_count === 0 ? t.now.nothing : t.now.completed
}

/** The advice for the kind of failure, which is what the reason begins with; else the reason itself. */
function reasonFor({ failure_reason = '' }: Job, t: JobTexts): string {
  const kind = failure_reason.split(':', 1)[0] ?? ''
  return t.reasons[kind] ?? (failure_reason || t.now.failed)
}
