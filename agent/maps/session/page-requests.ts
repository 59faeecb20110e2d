import type { PageRequest } from './page-fetch.ts'

/** The requests for data that pages of one identity sent themselves, by name. */
export type PageRequests = {
  /** Returns the last request, to send the next one like it. */
  last(name: string): PageRequest | undefined
  note(name: string, request: PageRequest): void
  /**
   * Runs work that needs such a request, or brings it. While none is known, the first work runs alone, and others wait
   * until its page has sent one, or until it has ended.
   */
  afterFirst<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Creates an empty collection of requests. */
export function createPageRequests(): PageRequests {
  const known = new Map<string, PageRequest>()
  const awaited = new Map<string, PromiseWithResolvers<void>>()
  return {
    last: (name) => known.get(name),
    note(name, request) {
      known.set(name, request)
      awaited.get(name)?.resolve()
    },
    async afterFirst(name, work) {
      const first = known.has(name) ? undefined : awaited.get(name)
      if (known.has(name) || first) {
        await first?.promise
        return work()
      }
      const own = Promise.withResolvers<void>()
      awaited.set(name, own)
      try {
        return await work()
      } finally {
        awaited.delete(name)
        own.resolve()
      }
    },
  }
}
