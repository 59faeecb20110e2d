import { Badge } from '@mantine/core'
import { jobsTexts } from '../texts/jobs.ts'
import { useTexts } from '../texts/language.tsx'

/** Says that a job collects from the simulated city and costs nothing. */
export function DemoBadge() {
  const t = useTexts(jobsTexts)
  return (
    <Badge color="grape" variant="light" radius="sm" tt="none" className="state">
      {t.demo}
    </Badge>
  )
}
