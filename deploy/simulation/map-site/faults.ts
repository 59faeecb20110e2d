import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange } from './exchange.ts'
import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'

const FAULTS = ['error', 'reset', 'cut', 'garbage'] as const
/** How an injected failure looks: status 500, connection reset, body cut short, or a body of garbage. */
export type Fault = (typeof FAULTS)[number]

/** The fault of request number `nth`, if it is to fail. Which ones fail depends on the seed and their number alone. */
export function faultOf(seed: number, nth: number, { failureRate }: SiteOptions): Fault | undefined {
  const dice = chance(seed, nth, 9001)
  return dice.happens(failureRate) ? dice.pick(FAULTS) : undefined
}

/** Waits as long as the options want request number `nth` to take. */
export async function delay(seed: number, nth: number, { latencyMs }: SiteOptions): Promise<void> {
  const wait = latencyMs.min + chance(seed, nth, 9002).next() * (latencyMs.max - latencyMs.min)
  if (wait > 0) await sleep(wait)
}

/** Request number `nth` as the site takes it: now and then it takes another language for the one asked for. */
export function misheard(seed: number, nth: number, exchange: Exchange, { foreignRate }: SiteOptions): Exchange {
  if (!chance(seed, nth, 9003).happens(foreignRate)) return exchange
  const url = new URL(exchange.url)
  url.searchParams.set('hl', url.searchParams.get('hl') === 'es' ? 'fr' : 'es')
  return { ...exchange, url }
}
