import { Box, Button, Code, CopyButton } from '@mantine/core'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** A text with a copy button: a command, a key, a setting. */
export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <Box className="code-block">
      <Code block className="code-text" tabIndex={0} role="region" aria-label={label}>
        {children}
      </Code>
      <Copy value={children} />
    </Box>
  )
}

/** Copies a text and confirms it. */
function Copy({ value, label }: { value: string; label?: string }) {
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
