import { Button, Group } from '@mantine/core'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** Pages of a list whose length nobody counts. */
export function NextPager({
  page,
  hasMore,
  onChange,
}: {
  page: number
  hasMore: boolean
  onChange(page: number): void
}) {
  const t = useTexts(commonTexts)
  if (page === 1 && !hasMore) return null
  return (
    <Group justify="flex-end" gap="xs">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => onChange(page - 1)}>
        {t.previous}
      </Button>
      <Button size="xs" variant="default" disabled={!hasMore} onClick={() => onChange(page + 1)}>
        {t.next}
      </Button>
    </Group>
  )
}
