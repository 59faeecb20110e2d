// What a member of a replica set answers, after the specification of Server Discovery and Monitoring (SDAM):
// https://github.com/mongodb/specifications/blob/master/source/server-discovery-and-monitoring/server-discovery-and-monitoring.md
// No answer has a topologyVersion, so drivers ask again instead of waiting for the next answer.
import { type Binary, type Document, Long, ObjectId, Timestamp } from 'mongodb'

export const SET_NAME = 'rs0'

/**
 * What becomes of the write that a step-down catches. `interrupted`: it was not applied. `unreplicated`: it was
 * applied, but no majority acknowledged it.
 */
export type Caught = 'interrupted' | 'unreplicated'

/** What the members of a set share, as they replicate it. */
export type SetState = {
  /** The addresses of all members. */
  readonly hosts: readonly string[]
  /** What the engine says of its limits and versions. */
  readonly engineHello: Document
  primary: number | undefined
  /** Counts the elections. */
  term: number
  /** Whether no secondary replicates what the primary writes. An election ends it. */
  isAlone: boolean
  /** The step-down that the n-th next write of the primary to a collection meets. */
  trap: { collection: string; caught: Caught; nth: number; sprung: PromiseWithResolvers<void> } | undefined
  /**
   * The last retryable write of each session, with its answer: a write that was applied is answered, not applied again,
   * when a driver repeats it. A write whose answer a killed member has not passed on is not remembered.
   * https://github.com/mongodb/specifications/blob/master/source/retryable-writes/retryable-writes.md
   */
  readonly writes: Map<string, { number: string; answer: Document }>
}

/** What a member does with a command: it answers it itself, or runs it and perhaps changes or withholds the answer. */
type Verdict = { answer?: Document; amend?: (answer: Document) => Document | undefined }

/** One member. */
export type Member = ReturnType<typeof createMember>

/** Commands that write. A secondary refuses them. */
const WRITES = [
  ...['insert', 'update', 'delete', 'findAndModify', 'bulkWrite'],
  ...['createIndexes', 'dropIndexes', 'create', 'drop'],
]

/** Commands that read. A secondary refuses them unless the client allows secondaries. */
const READS = ['find', 'aggregate', 'count', 'distinct', 'listCollections', 'listIndexes']

/** Codes of SDAM "Not writable primary and node is recovering", with the texts of the server. */
const ERRORS = {
  NotWritablePrimary: { code: 10_107, errmsg: 'not primary' },
  NotPrimaryNoSecondaryOk: { code: 13_435, errmsg: 'not primary and secondaryOk=false' },
  InterruptedDueToReplStateChange: { code: 11_602, errmsg: 'operation was interrupted' },
  WriteConcernTimeout: { code: 64, errmsg: 'waiting for replication timed out', errInfo: { wtimeout: true } },
  PrimarySteppedDown: { code: 189, errmsg: 'Primary stepped down while waiting for replication' },
}

const failure = (codeName: keyof typeof ERRORS) => ({ codeName, ...ERRORS[codeName] })

/** Whether a driver may repeat this write. */
const isRetryable = ({ txnNumber }: Document): boolean => txnNumber !== undefined
const labels = (command: Document) => (isRetryable(command) ? { errorLabels: ['RetryableWriteError'] } : {})

const refusal = (codeName: keyof typeof ERRORS, command: Document): Verdict => ({
  answer: { ok: 0, ...failure(codeName), ...labels(command) },
})

function writeOf({ lsid, txnNumber }: Document): { session: string; number: string } {
  const id: Binary = lsid.id
  return { session: id.toString('hex'), number: String(Long.fromValue(txnNumber)) }
}

/** Makes a member the primary, or none as between two elections. */
export function become(state: SetState, primary: number | undefined): void {
  state.primary = primary
  state.isAlone = false
  if (primary !== undefined) state.term += 1
}

/** Returns the step-down that a write of the primary to these collections meets, if it meets one. */
function stepDownAt(state: SetState, collections: readonly string[]): { caught: Caught; stepDown(): void } | undefined {
  const { trap } = state
  if (trap === undefined || !collections.includes(trap.collection) || --trap.nth > 0) return undefined
  state.trap = undefined
  const stepDown = () => {
    become(state, undefined)
    trap.sprung.resolve()
  }
  return { caught: trap.caught, stepDown }
}

function receiveAsSecondary(name: string, command: Document): Verdict {
  if (WRITES.includes(name)) return refusal('NotWritablePrimary', command)
  const mode = command.$readPreference?.mode ?? 'primary'
  return READS.includes(name) && mode === 'primary' ? refusal('NotPrimaryNoSecondaryOk', command) : {}
}

/** A step-down interrupts a write that waits for its locks, and one that was applied and waits for a majority. */
function receiveAsPrimary(state: SetState, name: string, command: Document, collections: readonly string[]): Verdict {
  if (!WRITES.includes(name)) return {}
  const { session, number } = isRetryable(command) ? writeOf(command) : { session: '', number: '' }
  const last = state.writes.get(session)
  if (last?.number === number) return { answer: last.answer }
  const met = stepDownAt(state, collections)
  if (met?.caught === 'interrupted') {
    met.stepDown()
    return refusal('InterruptedDueToReplStateChange', command)
  }
  const amend = (answer: Document) => {
    if (session !== '') state.writes.set(session, { number, answer })
    if (state.isAlone && command.writeConcern?.w === 'majority') {
      // A primary without secondaries applies a write and waits: until `wtimeout`, else for ever.
      const { wtimeout } = command.writeConcern
      return wtimeout ? { ...answer, writeConcernError: failure('WriteConcernTimeout') } : undefined
    }
    if (!met) return answer
    met.stepDown()
    return { ...answer, writeConcernError: failure('PrimarySteppedDown'), ...labels(command) }
  }
  return { amend }
}

/** Creates a member that answers by the state of its set. */
export function createMember(index: number, state: SetState) {
  return {
    /** SDAM "ServerDescription": the fields by which a driver knows the type of a server and the state of the set. */
    hello(legacy: boolean): Document {
      const { hosts, primary, term } = state
      const now = new Date()
      const isPrimary = primary === index
      const opTime = { ts: new Timestamp({ t: Math.floor(now.getTime() / 1_000), i: 1 }), t: Long.fromNumber(term) }
      return {
        ...state.engineHello,
        [legacy ? 'ismaster' : 'isWritablePrimary']: isPrimary,
        logicalSessionTimeoutMinutes: 30,
        secondary: !isPrimary,
        helloOk: true,
        setName: SET_NAME,
        setVersion: 1,
        hosts,
        me: hosts[index],
        ...(primary === undefined ? {} : { primary: hosts[primary] }),
        // SDAM "electionId": of two primaries drivers believe the one with the higher id.
        ...(isPrimary ? { electionId: new ObjectId(`7fffffff${term.toString(16).padStart(16, '0')}`) } : {}),
        localTime: now,
        lastWrite: { opTime, lastWriteDate: now },
      }
    },
    receive(name: string, command: Document, collections: readonly string[]): Verdict {
      if (name === 'endSessions') return { answer: { ok: 1 } }
      return state.primary === index
        ? receiveAsPrimary(state, name, command, collections)
        : receiveAsSecondary(name, command)
    },
  }
}
