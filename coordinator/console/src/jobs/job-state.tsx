import { Badge, Progress } from '@mantine/core'
import { jobTexts } from '../texts/job.ts'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.ts'
import type { Job } from './job-queries.ts'

/** The progress of a job: stored places of the maximum. */
export function JobProgress({ job, size = 'sm' }: { job: Job; size?: 'sm' | 'lg' }) {
  const t = useTexts(jobTexts)
  const wanted = Math.max(1, Math.min(job.data.max_results, Math.max(job.progress.discovered, job.result_count)))
  const share = job.progress.discovered === 0 ? 0 : Math.min(100, (job.result_count / wanted) * 100)
  return (
    <Progress.Root size={size} mt={6} miw={64}>
      <Progress.Section
        value={share}
        animated={job.status === 'running'}
        aria-label={t.progress}
        aria-valuetext={t.progressOf(job.result_count, wanted)}
      />
    </Progress.Root>
  )
}

/** Marks a demo job, which collects from the simulated city at no cost. */
export function DemoBadge({ short = false }: { short?: boolean }) {
  const t = useTexts(jobsTexts)
  return (
    <Badge color="grape" variant="light" radius="sm" tt="none" className="demo-badge" title={t.demo}>
      {short ? 'Demo' : t.demo}
    </Badge>
  )
}
