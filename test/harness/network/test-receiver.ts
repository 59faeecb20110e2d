import { onTestFinished } from 'vitest'
import { createAuthority } from './certificates.ts'
import { RECEIVER_NAMES, type Respond, startReceiver } from './receiver.ts'

/** An authority and a certificate of it, for all receivers of a worker: to make them takes longer than most tests. */
const issued = (async () => {
  const authority = await createAuthority()
  return { authority, identity: await authority.issue(RECEIVER_NAMES) }
})()

/** Starts a receiver with a valid certificate, which ends with the test. Returns it with the authority to trust. */
export async function testReceiver(respond?: Respond, whenOver: (end: () => Promise<void>) => void = onTestFinished) {
  const { authority, identity } = await issued
  const receiver = await startReceiver(identity, respond)
  whenOver(receiver.close)
  return { ...receiver, authority }
}
