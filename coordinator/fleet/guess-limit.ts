import { type Metadata, status as Status } from '@grpc/grpc-js'
import type { Logger } from '@placefleet/shared/log'
import { hashOf } from '../accounts/key-format.ts'
import { createCache } from '../cache.ts'
import { createAddressLimit, type RatePolicy } from '../http/rate-limit.ts'
import { type Admitted, type AgentAuthentication, type Rejection, tokenOf } from './call.ts'

/** Wrong tokens of one address. */
const WRONG_TOKENS: RatePolicy = { rate: 1, burst: 30 }

/** How often wrong tokens are logged. */
const WARN_MS = 60_000

/** Tokens that were accepted lately: those of all agents of a large fleet. */
const MAX_ACCEPTED = 10_000

/** Authenticates a call that came from an address. */
export type Admission = (metadata: Metadata, address: string) => Promise<Admitted | Rejection>

/**
 * Slows down guesses of tokens: after 30 wrong tokens an address is answered without a look at the token, one in a second
 * excepted. Tokens that were accepted before stay accepted, so agents behind the same address go on.
 */
export function limitGuesses(authenticate: AgentAuthentication, log: Logger, policy = WRONG_TOKENS): Admission {
  const limit = createAddressLimit(policy)
  const accepted = createCache<true>(MAX_ACCEPTED)
  let wrong = 0
  let warnedAt: number | undefined
  const noteWrong = (address: string, revoked?: string) => {
    limit.take(address)
    wrong += 1
    if (warnedAt !== undefined && performance.now() - warnedAt < WARN_MS) return
    const agent = revoked === undefined ? {} : { agent: revoked }
    log.warn({ ...agent, address, count: wrong }, 'agents sent wrong or revoked tokens; see AGENT_TOKEN')
    wrong = 0
    warnedAt = performance.now()
  }
  return async (metadata, address) => {
    const hash = hashOf(tokenOf(metadata))
    if (!accepted.has(hash) && limit.isExhausted(address)) {
      noteWrong(address)
      return TOO_MANY
    }
    const caller = await authenticate(metadata)
    if (!('code' in caller)) accepted.set(hash, true)
    else if (caller.code === Status.UNAUTHENTICATED) noteWrong(address, caller.revoked)
    return caller
  }
}

const TOO_MANY: Rejection = {
  code: Status.RESOURCE_EXHAUSTED,
  details: 'too many wrong tokens came from this address; try again in a minute',
}
