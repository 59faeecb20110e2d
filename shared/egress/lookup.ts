import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import type { Lookup, ResolvedAddress } from './resolve.ts'
import type { AllowHosts } from './target.ts'

/** How often each name server is queried. */
const ASK = { timeout: 1_500, tries: 2 }

/** After this time a query is cancelled for all servers, so that it holds no socket. */
const DEADLINE_MS = 3_000

/** The errors of an answer without an address, or without a name server. The hosts file may still know the name. */
const UNKNOWN: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']

/**
 * Creates a resolver for names that strangers choose. It queries the name servers without occupying a thread. A process
 * has only four threads for look-ups, so with the system's resolver four names with silent servers would block
 * everything else. The system's resolver, which reads the hosts file, gets names that the servers do not know and names
 * that the operator exempted. Concurrent queries for one name share one answer.
 * @param nameServers replaces the system's name servers, as `address:port`.
 */
export function createLookup(exempt: AllowHosts, nameServers?: readonly string[]): Lookup {
  const exemptNames = new Set([...exempt].map((entry) => entry.replace(/:\d+$/, '')))
  const pending = new Map<string, Promise<readonly ResolvedAddress[]>>()
  return (hostname) => {
    const ask = () => (exemptNames.has(hostname) ? askSystem(hostname) : askServers(hostname, nameServers))
    const answer = pending.get(hostname) ?? ask().finally(() => pending.delete(hostname))
    pending.set(hostname, answer)
    return answer
  }
}

const askSystem = (hostname: string) => systemLookup(hostname, { all: true })

async function askServers(hostname: string, nameServers?: readonly string[]): Promise<readonly ResolvedAddress[]> {
  const resolver = new Resolver(ASK)
  if (nameServers) resolver.setServers(nameServers)
  const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS)
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  clearTimeout(deadline)
  const addresses = [...found(four, 4), ...found(six, 6)]
  if (addresses.length > 0) return addresses
  const failure = [four, six].find((answer) => answer.status === 'rejected' && !isUnknown(answer.reason))
  if (failure?.status === 'rejected') throw failure.reason
  return askSystem(hostname)
}

function found(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

const isUnknown = (error: unknown): boolean => error instanceof Error && 'code' in error && UNKNOWN.includes(error.code)
