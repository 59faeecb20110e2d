import { createHash, timingSafeEqual } from 'node:crypto'
import type { Metadata } from '@grpc/grpc-js'

/** Tells whether the metadata of a call carries the fleet's token. */
export type TokenCheck = (metadata: Metadata) => boolean

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The check against one token that all agents share, in a time that tells nothing of it. */
export function createTokenCheck(token: string): TokenCheck {
  const expected = digest(`Bearer ${token}`)
  return (metadata) => {
    const [given] = metadata.get('authorization')
    return timingSafeEqual(digest(typeof given === 'string' ? given : ''), expected)
  }
}
