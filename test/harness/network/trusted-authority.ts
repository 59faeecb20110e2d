import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import { type Authority, createAuthority } from './certificates.ts'

/**
 * Returns an authority that this process trusts until the end of the test, or of the file if `whenOver` is `afterAll`.
 */
export async function trustedAuthority(whenOver: (end: () => void) => void = onTestFinished): Promise<Authority> {
  const authority = await createAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  whenOver(() => setDefaultCACertificates(before))
  return authority
}
