import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { CreateDialog } from '../parts/create-dialog.tsx'
import { NameForm } from '../parts/name-form.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { fleetTexts } from '../texts/fleet.ts'
import { useTexts } from '../texts/language.ts'
import { FLEET_KEY } from './fleet-queries.ts'

/** Enrols an agent, and shows its token once, with the settings to start the agent. */
export function Enrol() {
  const t = useTexts(fleetTexts)
  const queries = useQueryClient()
  const [made, setMade] = useState<Schemas['EnrolledAgent']>()
  return (
    <>
      <CreateDialog label={t.newAgent}>
        {(close) => (
          <NameForm
            label={t.agentName}
            description={t.enrolHint}
            maxLength={64}
            fault={t.agentNameFault}
            button={t.enrol}
            make={(name) => unwrap(api.POST('/api/v1/admin/agents', { body: { name } }))}
            onMade={(agent) => {
              close()
              setMade(agent)
              return queries.invalidateQueries({ queryKey: FLEET_KEY })
            }}
          />
        )}
      </CreateDialog>
      <Token made={made} onClose={() => setMade(undefined)} />
    </>
  )
}

function Token({ made, onClose }: { made: Schemas['EnrolledAgent'] | undefined; onClose(): void }) {
  const t = useTexts(fleetTexts)
  return (
    <SecretDialog opened={made !== undefined} title={t.enrolled} hint={t.enrolledHint} done={t.done} onClose={onClose}>
      <CodeBlock label={t.settings}>{made?.environment ?? ''}</CodeBlock>
      <Text size="sm">{t.startHint(made?.name ?? '')}</Text>
      <CodeBlock label={t.startFromCheckout}>{made?.checkout_command ?? ''}</CodeBlock>
      <Text size="sm">{t.startInDocker}</Text>
      <CodeBlock label={t.start}>{made?.command ?? ''}</CodeBlock>
    </SecretDialog>
  )
}
