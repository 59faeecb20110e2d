import { CodeBlock } from '../parts/code-block.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { useTexts } from '../texts/language.ts'
import { webhooksTexts } from '../texts/webhooks.ts'

/** Shows a new signing secret, which is visible only once. */
export function NewSecret({ secret, onClose }: { secret: string | undefined; onClose(): void }) {
  const t = useTexts(webhooksTexts)
  return (
    <SecretDialog
      opened={secret !== undefined}
      title={t.secretTitle}
      hint={t.secretHint}
      done={t.done}
      onClose={onClose}
    >
      <CodeBlock label={t.secret}>{secret ?? ''}</CodeBlock>
    </SecretDialog>
  )
}
