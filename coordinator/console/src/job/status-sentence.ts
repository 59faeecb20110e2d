import type { Job } from '../jobs/job-queries.ts'
import { clockTime } from '../parts/formats.ts'
import type { jobTexts } from '../texts/job.ts'

type JobTexts = (typeof jobTexts)['en']

/** Describes the current state or the end of a job in a sentence. Times are in the user's time zone. */
export function statusSentence(job: Job, t: JobTexts, language: string): string {
  if (job.status === 'pending' || job.status === 'running') return progressSentence(job, t, language)
  if (job.status === 'aborting') return t.now.aborting
  if (job.status === 'failed') return reasonFor(job, t)
  if (job.status === 'cancelled') {
    return job.cancel_reason === 'timeout' ? t.now.cancelledByTimeout : t.now.cancelledByUser
  }
  const { limited_reason } = job
  if (limited_reason) return t.now.limitedReasons[limited_reason] ?? t.now.completed
  if (job.partial_reason) return t.now.partialReasons[job.partial_reason]
  if (job.partial) return t.now.partial
  return job.result_count === 0 ? t.now.nothing : t.now.completed
}

function progressSentence({ status, progress }: Job, t: JobTexts, language: string): string {
  if (progress.waiting_reason === 'no_agent') return t.now.noAgent
  if (progress.waiting_until) {
    const sentence = progress.waiting_reason === 'unknown' ? t.now.unknownUntil : t.now.blockedUntil
    return sentence(clockTime(progress.waiting_until, language))
  }
  if (status === 'pending') return t.now.pending
  if (progress.eta) return t.now.collectingUntil(clockTime(progress.eta, language))
  return progress.discovered === 0 ? t.now.searching : t.now.collecting
}

/** Returns the advice for the failure code at the beginning of the reason, otherwise the reason itself. */
function reasonFor({ failure_reason = '' }: Job, t: JobTexts): string {
  const kind = failure_reason.split(':', 1)[0] ?? ''
  return t.reasons[kind] ?? (failure_reason || t.now.failed)
}
