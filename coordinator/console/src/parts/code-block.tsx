import { Box, Button, Code } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

/** A text with a copy button: a command, a key, a setting. */
export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <Box className="code-block">
      <Code block className="code-text" tabIndex={0} role="region" aria-label={label}>
        {children}
      </Code>
      <CopyText value={children} />
    </Box>
  )
}

const CONFIRMED_MS = 2_000

/** Copies a text, and says whether it did. */
export function CopyText({ value, label }: { value: string; label?: string }) {
  const t = useTexts(commonTexts)
  const [result, setResult] = useState<'copied' | 'notCopied'>()
  const copy = async () => {
    setResult((await copied(value)) ? 'copied' : 'notCopied')
    setTimeout(() => setResult(undefined), CONFIRMED_MS)
  }
  return (
    <Button size="xs" variant="default" onClick={() => void copy()}>
      {result === undefined ? (label ?? t.copy) : t[result]}
    </Button>
  )
}

/** Copies a text. Over http from another machine there is no clipboard, but the older command works. */
async function copied(text: string): Promise<boolean> {
  if (window.isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const element = document.createElement('textarea')
  element.value = text
  // Within a dialog: its focus trap would take the focus from an element outside.
  const parent = document.activeElement?.parentElement ?? document.body
  parent.append(element)
  element.select()
  try {
    return document.execCommand('copy')
  } finally {
    element.remove()
  }
}
