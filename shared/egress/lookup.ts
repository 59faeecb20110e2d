import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import type { Lookup, ResolvedAddress } from './resolve.ts'
import type { AllowHosts } from './target.ts'

/** How often each name server is asked. */
const ASK = { timeout: 1_500, tries: 2 }

/** After this the question is cancelled, for any number of servers, so that it holds no socket. */
const DEADLINE_MS = 3_000

/** The errors of a fast answer without an address, or without any name server. The hosts file may know the name. */
const UNKNOWN: readonly unknown[] = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EBADNAME']

/**
 * A resolver for names that strangers choose. It asks the name servers without occupying a thread, of which a process
 * has four: with the system's resolver alone, four names whose servers never answer would hold up everything else.
 * Names that the servers do not know, and those that the operator exempted, are asked of the system, which reads the
 * hosts file. Questions for one name at the same time share one answer.
 * @param nameServers in place of the system's, as `address:port`.
 */
export function createLookup(exempt: AllowHosts, nameServers?: readonly string[]): Lookup {
  const exemptNames = new Set([...exempt].map((entry) => entry.replace(/:\d+$/, '')))
  const asked = new Map<string, Promise<readonly ResolvedAddress[]>>()
  return (hostname) => {
    const ask = () => (exemptNames.has(hostname) ? askSystem(hostname) : askServers(hostname, nameServers))
    const answer = asked.get(hostname) ?? ask().finally(() => asked.delete(hostname))
    asked.set(hostname, answer)
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
