import { Button, FileButton, Group, Text } from '@mantine/core'
import { count } from '../parts/number-format.ts'
import { Section } from '../parts/page.tsx'
import { knownPlacesTexts } from '../texts/known-places.ts'
import { useLanguage, useTexts } from '../texts/language.ts'
import { useUpload } from './known-place-queries.ts'

/** Uploads places from a CSV or XLSX file, and says how many of them are new. */
export function Upload() {
  const t = useTexts(knownPlacesTexts)
  const { language } = useLanguage()
  const upload = useUpload()
  const result = upload.data
  return (
    <Section title={t.upload}>
      <Text size="sm" c="dimmed">
        {t.uploadHint}
      </Text>
      <Group gap="sm">
        <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" onChange={(file) => file && upload.mutate(file)}>
          {(props) => (
            <Button {...props} loading={upload.isPending}>
              {t.choose}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {result && t.result(count(result.added, language), count(result.already_known, language))}{' '}
          {result && result.unreadable > 0 && t.unreadable(count(result.unreadable, language))}
        </Text>
      </Group>
    </Section>
  )
}
