import { Alert, Button, Stack, Text } from '@mantine/core'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** Says that somebody else changed the same fields of a draft while the user edited them. */
export function ConflictNotice({ conflicts, onReset }: { conflicts: readonly unknown[]; onReset(): void }) {
  const t = useTexts(commonTexts)
  if (conflicts.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="alert" title={t.changedElsewhere}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.changedElsewhereHint}</Text>
        <Button size="xs" variant="default" onClick={onReset}>
          {t.takeTheirs}
        </Button>
      </Stack>
    </Alert>
  )
}
