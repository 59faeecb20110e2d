// What a member of a replica set answers, after the specification of Server Discovery and Monitoring (SDAM):
// https://github.com/mongodb/specifications/blob/master/source/server-discovery-and-monitoring/server-discovery-and-monitoring.md
import { type Document, Long, ObjectId, Timestamp } from 'mongodb'
import { isRetryable, type Sessions } from './sessions.ts'
import type { Topology } from './topology.ts'

export const SET_NAME = 'rs0'

/** What a member does with a command: it answers it itself, or runs it and perhaps changes or withholds the answer. */
type Verdict = { answer?: Document; amend?: (answer: Document) => Document | undefined }

/** One member. `hosts` are the addresses of all members. */
export type Member = ReturnType<typeof createMember>

/** Commands that write. A secondary refuses them. */
const WRITES = [
  'insert',
  'update',
  'delete',
  'findAndModify',
  'bulkWrite',
  'createIndexes',
  'dropIndexes',
  'create',
  'drop',
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

/** What the members of a set share. `engineHello`: what the engine says of its limits and versions. */
type Shared = { hosts: readonly string[]; topology: Topology; sessions: Sessions; engineHello: Document }

/** Creates a member that answers by the topology. */
export function createMember(index: number, { hosts, topology, sessions, engineHello }: Shared) {
  const processId = new ObjectId()
  // SDAM "topologyVersion": of this process; the counter grows with each change that clients should learn.
  const topologyVersion = () => ({ processId, counter: Long.fromNumber(topology.counter()) })
  const failure = (codeName: keyof typeof ERRORS) => ({ codeName, ...ERRORS[codeName] })
  const labels = (command: Document) => (isRetryable(command) ? { errorLabels: ['RetryableWriteError'] } : {})
  const refusal = (codeName: keyof typeof ERRORS, command: Document): Verdict => ({
    answer: { ok: 0, ...failure(codeName), ...labels(command), topologyVersion: topologyVersion() },
  })

  const receiveAsSecondary = (name: string, command: Document): Verdict => {
    if (WRITES.includes(name)) return refusal('NotWritablePrimary', command)
    const mode = command.$readPreference?.mode ?? 'primary'
    return READS.includes(name) && mode === 'primary' ? refusal('NotPrimaryNoSecondaryOk', command) : {}
  }

  /** A primary without secondaries applies a write and waits: until `wtimeout`, else for ever. */
  const withoutMajority = ({ writeConcern }: Document, answer: Document): Document | undefined =>
    writeConcern.wtimeout ? { ...answer, writeConcernError: failure('WriteConcernTimeout') } : undefined

  /** A step-down interrupts a write that waits for its locks, and one that was applied and waits for a majority. */
  const receiveAsPrimary = (name: string, command: Document, collections: readonly string[]): Verdict => {
    if (!WRITES.includes(name)) return {}
    const applied = isRetryable(command) ? sessions.answerTo(command) : undefined
    if (applied) return { answer: applied }
    const met = topology.stepDownAt(collections)
    if (met?.caught === 'interrupted') {
      met.stepDown()
      return refusal('InterruptedDueToReplStateChange', command)
    }
    const amend = (answer: Document) => {
      if (isRetryable(command)) sessions.remember(command, answer)
      if (topology.isAlone() && command.writeConcern?.w === 'majority') return withoutMajority(command, answer)
      if (!met) return answer
      met.stepDown()
      const writeConcernError = failure('PrimarySteppedDown')
      return { ...answer, writeConcernError, ...labels(command), topologyVersion: topologyVersion() }
    }
    return { amend }
  }

  return {
    /** SDAM "ServerDescription": the fields by which a driver knows the type of a server and the state of the set. */
    hello(legacy: boolean): Document {
      const [primary, term, now] = [topology.primary(), topology.term(), new Date()]
      const isPrimary = primary === index
      const opTime = { ts: new Timestamp({ t: Math.floor(now.getTime() / 1_000), i: 1 }), t: Long.fromNumber(term) }
      return {
        ...engineHello,
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
        topologyVersion: topologyVersion(),
        localTime: now,
        lastWrite: { opTime, lastWriteDate: now },
      }
    },
    changeSince: topology.changeSince,
    receive(name: string, command: Document, collections: readonly string[]): Verdict {
      if (name === 'endSessions') return { answer: { ok: 1 } }
      return topology.primary() === index
        ? receiveAsPrimary(name, command, collections)
        : receiveAsSecondary(name, command)
    },
  }
}
