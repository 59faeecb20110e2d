import { canFail, type Logger } from '@placefleet/shared/log'
import type { CDPSession } from 'playwright'
import type { EgressGrant } from '../egress/egress-proxy.ts'

const DOCUMENTS = [{ urlPattern: '*', resourceType: 'Document' as const }]

/**
 * Makes a page log in to the egress proxy. Only documents are held for it: the first of them teaches the whole context.
 * Credentials that are given to Playwright instead switch the cache off and hold every request, so that the site's scripts
 * are loaded anew for each place.
 */
export async function logInToProxy(session: CDPSession, grant: EgressGrant, log: Logger): Promise<void> {
  const asked = new Set<string>()
  session.on('Fetch.authRequired', ({ requestId, authChallenge: { source } }) => {
    const authChallengeResponse = answerTo(source === 'Proxy' && !asked.has(requestId), grant)
    asked.add(requestId)
    const answered = session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse })
    void canFail(log, 'logging in to the egress proxy', answered)
  })
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void canFail(log, 'letting a document be loaded', session.send('Fetch.continueRequest', { requestId }))
  })
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns: DOCUMENTS })
}

function answerTo(mayLogIn: boolean, { username, password }: EgressGrant) {
  return mayLogIn
    ? { response: 'ProvideCredentials' as const, username, password }
    : { response: 'CancelAuth' as const }
}
