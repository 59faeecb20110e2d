import { canFail } from '@placefleet/shared/log'
import { setNewest } from '@placefleet/shared/newest'
import type { Exit } from '../exits/exit.ts'
import { createIdentity, type Identity, type IdentitySettings } from './identity.ts'
import { createPageFetch, type PageFetch } from './page-fetch.ts'

/** The identities of an agent: one for each exit and language, kept over tasks. */
export type Identities = {
  /** Returns the identity to use now. A new one replaces an identity that is used up or whose exit was refused. */
  of(exit: Exit, language: string): Identity
  close(): Promise<void>
}

const MOST_REMEMBERED = 500

/** Creates an empty collection of identities. */
export function createIdentities(settings: IdentitySettings): Identities {
  const known = new Map<string, Identity>()
  const exits = new WeakMap<Exit, { number: number; pageFetch: PageFetch }>()
  let count = 0
  const knownExit = (exit: Exit) => {
    const entry = exits.get(exit) ?? { number: ++count, pageFetch: createPageFetch(exit) }
    exits.set(exit, entry)
    return entry
  }
  return {
    of(exit, language) {
      const { number, pageFetch } = knownExit(exit)
      const key = `${number} ${language}` // not the proxy's URL, which holds a password
      const before = known.get(key)
      if (before?.isSpent()) before.end()
      const identity = before && !before.isSpent() ? before : createIdentity(settings, { exit, language, pageFetch })
      const oldest = setNewest(known, key, identity, MOST_REMEMBERED)
      oldest?.[1].end()
      return identity
    },
    async close() {
      const all = [...known.values()]
      known.clear()
      await Promise.all(all.map((identity) => canFail(settings.log, 'closing an identity', identity.close())))
    },
  }
}
