import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import { setNewest } from '@placefleet/shared/newest'
import { monotonicNow } from '@placefleet/shared/timing'

/** Answers whether the domain of an email address receives mail. */
export type MailServers = {
  /** Whether it has a mail server (MX). Undefined when no name server answers. Never rejects. */
  has(domain: string): Promise<boolean | undefined>
}

type Entry = { readonly answer: Promise<boolean | undefined>; readonly until: number }

const ASK = { timeout: 1_500, tries: 2 }
/** After this time a query is cancelled for all name servers. */
const DEADLINE_MS = 3_000
const REMEMBERED_MS = 600_000
const MOST_REMEMBERED = 5_000
/** The domain does not exist, or has no such record. */
const NONE: readonly unknown[] = ['ENOTFOUND', 'ENODATA']

/** `nameServers` (`address:port`) replace those of the system. `now` is in milliseconds. */
export function createMailServers(nameServers?: readonly string[], now = monotonicNow): MailServers {
  const entries = new Map<string, Entry>()
  return {
    has(domain) {
      const before = entries.get(domain)
      if (before && before.until > now()) return before.answer
      const entry = { answer: ask(domainToASCII(domain), nameServers), until: now() + REMEMBERED_MS }
      setNewest(entries, domain, entry, MOST_REMEMBERED)
      return entry.answer
    },
  }
}

async function ask(domain: string, nameServers?: readonly string[]): Promise<boolean | undefined> {
  const resolver = new Resolver(ASK)
  if (nameServers) resolver.setServers(nameServers)
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS)
  try {
    const records = await resolver.resolveMx(domain)
    return records.some(({ exchange }) => exchange !== '') // RFC 7505: a single "." refuses all mail
  } catch (error) {
    return error instanceof Error && 'code' in error && NONE.includes(error.code) ? false : undefined
  } finally {
    clearTimeout(deadline)
  }
}
