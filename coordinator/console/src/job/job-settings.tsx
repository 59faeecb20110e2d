import { Box, Stack, Table, Title } from '@mantine/core'
import type { Job } from '../jobs/job-queries.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { duration } from '../parts/formats.ts'
import { jobTexts } from '../texts/job.ts'
import { jobSettingsTexts } from '../texts/job-settings.ts'
import { jobCodeTexts } from '../texts/jobs.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { newJobTexts } from '../texts/new-job.ts'
import { JobCode } from './job-code-view.tsx'

/** A shape has up to 2,000 positions, so only its beginning is shown. */
const MOST_CHARACTERS = 300

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

/** Returns a setting in the words of the form. */
function useSettingText(): (name: string, value: unknown) => string {
  const t = useTexts(jobSettingsTexts)
  const form = useTexts(newJobTexts)
  const { language } = useLanguage()
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    website_filter: form.websites,
    reviews_sort: form.reviewOrders,
    coverage: t.coverages,
  }
  return (name, value) => {
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (name === 'max_time') return duration(Number(value), language)
    if (name === 'language') return new Intl.DisplayNames(language, { type: 'language' }).of(String(value)) ?? ''
    return words[name]?.[String(value)] ?? textOf(value)
  }
}

/**
 * The settings of the job, by the labels of the form. The name that the API has for a field is shown when pointed at.
 */
export function JobSettings({ job }: { job: Job }) {
  const t = useTexts(jobTexts)
  const { names } = useTexts(jobSettingsTexts)
  const settingText = useSettingText()
  const code = useTexts(jobCodeTexts)
  const { proxy_count, ...data } = job.data
  const rows = Object.entries(data)
    .filter(([, value]) => value !== '' && value !== 0)
    .map(([name, value]) => [name, settingText(name, value)] as const)
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t.settingsTitle}
      </Title>
      <Box className="panel">
        <Table variant="vertical" layout="fixed" aria-label={t.settingsTitle}>
          <Table.Tbody>
            {[...rows, ...(proxy_count > 0 ? [['proxies', t.proxies(proxy_count)] as const] : [])].map(
              ([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th w={{ base: 150, xs: 220 }} scope="row" title={name}>
                    {names[name] ?? name}
                  </Table.Th>
                  <Table.Td className="breakable">{value}</Table.Td>
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        </Table>
      </Box>
      <CodeBlock label={t.jobId}>{job.id}</CodeBlock>
      <Title order={2} size="h4" mt="md">
        {code.title}
      </Title>
      <JobCode request={{ name: job.name, ...data }} proxies={proxy_count} form={`/jobs/new?from=${job.id}`} />
    </Stack>
  )
}
