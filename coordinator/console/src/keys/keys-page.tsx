import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { CreateDialog } from '../parts/create-dialog.tsx'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.ts'
import { CreateKey } from './create-key.tsx'
import { useKeys } from './key-queries.ts'
import { KeysTable } from './keys-table.tsx'
import { NewKey } from './new-key.tsx'

/** The user's API keys: create, list and revoke them. */
export default function KeysPage() {
  const t = useTexts(keysTexts)
  const keys = useKeys()
  const [made, setMade] = useState<Schemas['NewApiKey']>()
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <CreateDialog label={t.newKey}>
          {(close) => (
            <CreateKey
              onMade={(key) => {
                close()
                setMade(key)
              }}
            />
          )}
        </CreateDialog>
      }
    >
      <WithData query={keys}>
        {(all) => (all.length === 0 ? <Empty title={t.none} hint={t.noneHint} /> : <KeysTable keys={all} />)}
      </WithData>
      <NewKey made={made} onClose={() => setMade(undefined)} />
    </Page>
  )
}
