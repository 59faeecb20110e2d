import { Anchor, Box, Table, Text, VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'wouter'
import { count, credits } from '../parts/number-format.ts'
import { StatusBadge } from '../parts/status-badge.tsx'
import { Time } from '../parts/time.tsx'
import { jobsTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { JobMenu } from './job-menu.tsx'
import { isActive, type Job } from './job-queries.ts'
import { DemoBadge, JobProgress } from './job-state.tsx'

/** A table of jobs: name, status, places, cost, time. */
export function JobsTable({ jobs }: { jobs: Job[] }) {
  const t = useTexts(jobsTexts)
  return (
    <Box className="panel table-scroll">
      <Table verticalSpacing="sm" highlightOnHover aria-label={t.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th>{t.status}</Table.Th>
            <Table.Th ta="right">{t.places}</Table.Th>
            <Table.Th ta="right" visibleFrom="sm">
              {t.cost}
            </Table.Th>
            <Table.Th visibleFrom="md">{t.created}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}

const JobRow = memo(function JobRow({ job }: { job: Job }) {
  const { language } = useLanguage()
  return (
    <Table.Tr>
      <Table.Td className="name-cell">
        <Anchor component={Link} href={`/jobs/${job.id}`} fw={600} className="breakable">
          {job.name}
        </Anchor>
        <Text size="xs" c="dimmed" className="one-line">
          {job.data.keywords.join(', ')}
        </Text>
        {job.data.demo && <DemoBadge short />}
      </Table.Td>
      <Table.Td>
        <StatusBadge status={job.status} />
        {isActive(job) && <JobProgress job={job} />}
      </Table.Td>
      <Table.Td ta="right" className="figures">
        {count(job.result_count, language)}
        <Text span size="xs" c="dimmed" visibleFrom="xs">
          {' '}
          / {count(job.data.max_results, language)}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="figures" visibleFrom="sm">
        {credits(job.total_cost, language)}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Time at={job.created_at} />
      </Table.Td>
      <Table.Td ta="right">
        <JobMenu job={job} />
      </Table.Td>
    </Table.Tr>
  )
})
