import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { CopyText } from '../parts/code-block.tsx'
import { commonTexts } from '../texts/common.ts'
import { useTexts } from '../texts/language.ts'

type State = { fault?: unknown }

/** Shows a fault of the console in place of the part that has it. Give it a key, so that it starts anew with it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}
  static getDerivedStateFromError = (fault: unknown): State => ({ fault })
  override render() {
    return 'fault' in this.state ? <Fault fault={this.state.fault} /> : this.props.children
  }
}

function Fault({ fault }: { fault: unknown }) {
  const t = useTexts(commonTexts)
  const details = fault instanceof Error ? (fault.stack ?? String(fault)) : String(fault)
  return (
    <Alert color="red" variant="light" role="alert" title={t.fault}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t.faultHint}</Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => location.reload()}>
            {t.reload}
          </Button>
          <CopyText value={`${location.href}\n${details}`} label={t.copyDetails} />
        </Group>
      </Stack>
    </Alert>
  )
}
