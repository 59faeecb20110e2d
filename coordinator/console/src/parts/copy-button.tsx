import { Button, CopyButton } from '@mantine/core'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'

/** Copies a text, and says that it did. */
export function Copy({ value, label }: { value: string; label?: string }) {
  const t = useTexts(commonTexts)
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? t.copied : (label ?? t.copy)}
        </Button>
      )}
    </CopyButton>
  )
}
