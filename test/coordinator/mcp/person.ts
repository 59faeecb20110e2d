import { setRole } from '@placefleet/coordinator/accounts/roles'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { addUser } from '../../harness/coordinator/users.ts'

/** A person with a session, who decides on what waits behind an address. */
export async function person(db: Db, url: string, role?: 'operator') {
  const { user_id } = await addUser(db)
  if (role) await setRole(db, user_id, role)
  const { secret } = await createSession(db, user_id)
  const headers = { cookie: `placefleet_session=${secret}`, 'sec-fetch-site': 'same-origin' }
  const visit = (address: URL | string) => fetch(address, { headers, redirect: 'manual' })
  return {
    visit,
    /** Follows an address of an assistant, decides, and returns where the browser goes. */
    async decide(address: URL | undefined, word: 'approve' | 'deny'): Promise<URL> {
      const page = new URL((await visit(address ?? '')).headers.get('location') ?? '', url)
      expect(page.pathname).toBe('/console/connect')
      const code = page.searchParams.get('code')
      const shown = await (await visit(`${url}/auth/device/${code}`)).json()
      expect(shown).toMatchObject({
        client_name: 'Ada’s assistant',
        returns_to: new URL(address?.searchParams.get('redirect_uri') ?? '').host,
      })
      const back = `${url}/auth/oauth/return?user_code=${code}`
      expect((await visit(back)).status).toBe(404)
      expect((await fetch(`${url}/auth/device/${code}/${word}`, { method: 'POST', headers })).status).toBe(204)
      expect((await (await person(db, url)).visit(back)).status).toBe(404)
      return new URL((await visit(back)).headers.get('location') ?? '')
    },
  }
}
