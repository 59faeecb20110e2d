import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answered, api, type Schemas } from '../api/client.ts'
import { Empty, WithData } from '../parts/data-states.tsx'
import { Page } from '../parts/page.tsx'
import { keysTexts } from '../texts/keys.ts'
import { useTexts } from '../texts/language.tsx'
import { CreateKey } from './create-key.tsx'
import { KEYS_KEY, KeysTable } from './keys-table.tsx'
import { NewKey } from './new-key.tsx'

/** The user's API keys: create, list and revoke them. */
export default function KeysPage() {
  const t = useTexts(keysTexts)
  const keys = useQuery({ queryKey: KEYS_KEY, queryFn: () => answered(api.GET('/api/v1/api-keys')) })
  const [made, setMade] = useState<Schemas['NewApiKey']>()
  return (
    <Page title={t.title} lead={t.lead}>
      <CreateKey onMade={setMade} />
      <WithData query={keys}>
        {(all) => (all.length === 0 ? <Empty title={t.none} hint={t.noneHint} /> : <KeysTable keys={all} />)}
      </WithData>
      <NewKey made={made} onClose={() => setMade(undefined)} />
    </Page>
  )
}
