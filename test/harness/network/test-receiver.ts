import { onTestFinished } from 'vitest'
import { type Authority, createAuthority } from './certificates.ts'
import { RECEIVER_NAMES, type Receiver, type Respond, startReceiver } from './receiver.ts'

/** Starts a receiver with a valid certificate, which ends with the test. Returns it with the authority to trust. */
export async function testReceiver(respond?: Respond): Promise<Receiver & { authority: Authority }> {
  const authority = await createAuthority()
  const receiver = await startReceiver(await authority.issue(RECEIVER_NAMES), respond)
  onTestFinished(receiver.close)
  return { ...receiver, authority }
}
