import { Box, Code } from '@mantine/core'
import { Copy } from './copy-button.tsx'

/** A text to copy: a command, a key, a setting. */
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
