import { type Binary, type Document, Long } from 'mongodb'

/** The fields of a command that only a server with sessions knows. */
export const SESSION_FIELDS = ['lsid', 'txnNumber'] as const

/** The writes that the members remember. They share it, as the members of a set replicate it. */
export type Sessions = ReturnType<typeof createSessions>

/**
 * Creates the memory of retryable writes: a write that was applied is answered, not applied again, when a driver repeats
 * it. A write whose answer a killed member has not passed on is not remembered.
 * https://github.com/mongodb/specifications/blob/master/source/retryable-writes/retryable-writes.md
 */
export function createSessions() {
  const last = new Map<string, { number: string; answer: Document }>()
  return {
    /** Returns the answer to a write that was applied before. */
    answerTo(command: Document): Document | undefined {
      const { session, number } = writeOf(command)
      const known = last.get(session)
      return known?.number === number ? known?.answer : undefined
    },
    remember(command: Document, answer: Document): void {
      const { session, number } = writeOf(command)
      last.set(session, { number, answer })
    },
  }
}

/** Whether a driver may repeat this write. */
export const isRetryable = (command: Document): boolean => command.txnNumber !== undefined

function writeOf({ lsid, txnNumber }: Document): { session: string; number: string } {
  const id: Binary = lsid.id
  return { session: id.toString('hex'), number: String(Long.fromValue(txnNumber)) }
}
