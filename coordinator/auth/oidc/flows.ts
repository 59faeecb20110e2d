import type { Db } from 'mongodb'
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client'
import { hashOf } from '../../accounts/key-format.ts'
import { fromNow } from '../../mongo/time.ts'
import { flowsOf } from '../documents.ts'
import type { Proof } from './provider.ts'

/** How long a sign-in at the provider may take. */
export const FLOW_SECONDS = 600
const FLOW_END = fromNow(FLOW_SECONDS, 'second')

/** Returns the values that a new sign-in is checked against. */
export const newProof = (): Proof => ({
  state: randomState(),
  nonce: randomNonce(),
  code_verifier: randomPKCECodeVerifier(),
})

/**
 * Records a pending sign-in of a browser. A browser may have several in its tabs.
 * @param browser the flow cookie: only the browser that has it can complete the sign-in.
 */
export async function beginFlow(
  db: Db,
  { state, ...proof }: Proof,
  { browser, return_to }: { browser: string; return_to: string },
): Promise<void> {
  const flow = { ...proof, browser: hashOf(browser), return_to }
  const change = { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: flow }, { expires_at: FLOW_END }] } }
  await flowsOf(db).updateOne({ _id: hashOf(state), kind: 'flow' }, [change], { upsert: true })
}

/** Completes a pending sign-in once. Returns undefined when it is completed, expired, or of another browser. */
export async function takeFlow(
  db: Db,
  { state, browser }: { state: string; browser: string },
): Promise<(Proof & { return_to: string }) | undefined> {
  const flow = await flowsOf(db).findOneAndDelete({
    _id: hashOf(state),
    kind: 'flow',
    browser: hashOf(browser),
    $expr: { $gt: ['$expires_at', '$$NOW'] },
  })
  if (!flow) return undefined
  const { nonce, code_verifier, return_to } = flow
  return { state, nonce, code_verifier, return_to }
}
