import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { setNewest } from '../newest.ts'
import { inTime, monotonicNow } from '../timing.ts'
import type { Lookup, ResolvedAddress } from './resolve.ts'
import type { AllowHosts } from './target.ts'

/** How often each name server is queried. */
const ASK = { timeout: 1_500, tries: 2 }

/** After this time a query is cancelled for all servers, so that it holds no socket. */
const DEADLINE_MS = 3_000

/** The errors of an answer without an address, or without a name server. The hosts file may still know the name. */
const UNKNOWN: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']

/** How long an answer for one family waits for the other: many routers drop questions for AAAA. */
const OTHER_FAMILY_MS = 250

/** The longest time for which an answer is remembered, whatever its time to live. */
const MOST_REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 1_000

/** An answer, and how long it may be used. Unknown for the system's resolver. */
type Answer = { readonly addresses: readonly ResolvedAddress[]; readonly ttlMs: number }

/**
 * Creates a resolver for names that strangers choose. It queries the name servers without occupying a thread. A process
 * has only four threads for look-ups, so with the system's resolver four names with silent servers would block
 * everything else. The system's resolver, which reads the hosts file, gets names that the servers do not know and names
 * that the operator exempted. An answer is shared while it is fetched, and until its time to live ends.
 * @param nameServers replaces the system's name servers, as `address:port`.
 */
export function createLookup(exempt: AllowHosts, nameServers?: readonly string[], now = monotonicNow): Lookup {
  const exemptNames = new Set([...exempt].map((entry) => entry.replace(/:\d+$/, '')))
  const pending = new Map<string, Promise<readonly ResolvedAddress[]>>()
  const known = new Map<string, { addresses: readonly ResolvedAddress[]; until: number }>()
  const ask = async (hostname: string) => {
    const { addresses, ttlMs } = await (exemptNames.has(hostname)
      ? askSystem(hostname)
      : askServers(hostname, nameServers))
    if (ttlMs > 0) setNewest(known, hostname, { addresses, until: now() + ttlMs }, MOST_REMEMBERED)
    return addresses
  }
  return async (hostname) => {
    const before = known.get(hostname)
    if (before && before.until > now()) return before.addresses
    const answer = pending.get(hostname) ?? ask(hostname).finally(() => pending.delete(hostname))
    pending.set(hostname, answer)
    return answer
  }
}

async function askSystem(hostname: string): Promise<Answer> {
  return { addresses: await systemLookup(hostname, { all: true }), ttlMs: 0 }
}

async function askServers(hostname: string, nameServers?: readonly string[]): Promise<Answer> {
  const resolver = new Resolver(ASK)
  if (nameServers) resolver.setServers(nameServers)
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS)
  const questions = [
    resolver.resolve4(hostname, { ttl: true }).then((records) => records.map((record) => ({ ...record, family: 4 }))),
    resolver.resolve6(hostname, { ttl: true }).then((records) => records.map((record) => ({ ...record, family: 6 }))),
  ]
  try {
    await firstAnswer(questions)
    await inTime(Promise.allSettled(questions), OTHER_FAMILY_MS)
  } finally {
    clearTimeout(deadline)
    resolver.cancel()
  }
  const answers = await Promise.allSettled(questions)
  const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (records.length > 0) {
    const ttlMs = Math.min(MOST_REMEMBERED_MS, ...records.map(({ ttl }) => ttl * 1_000))
    return { addresses: records.map(({ address, family }) => ({ address, family })), ttlMs }
  }
  const failures = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined))
  if (failures.some(isUnnamed) || failures.every(isUnknown)) return askSystem(hostname)
  throw failures.find((failure) => !isUnknown(failure))
}

/** Resolves with the first address, or when the name does not exist, or when no question brought an address. */
async function firstAnswer(questions: readonly Promise<unknown>[]): Promise<void> {
  const decided = questions.map((question) =>
    question.catch((error: unknown) => {
      if (!isUnnamed(error)) throw error // ENODATA: the other family may have an address
    }),
  )
  await Promise.any(decided).catch(() => undefined)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const isUnnamed = (error: unknown): boolean => codeOf(error) === 'ENOTFOUND'

const isUnknown = (error: unknown): boolean => UNKNOWN.includes(codeOf(error))
