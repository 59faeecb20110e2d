// What a member of a replica set answers, after the specification of Server Discovery and Monitoring (SDAM):
// https://github.com/mongodb/specifications/blob/master/source/server-discovery-and-monitoring/server-discovery-and-monitoring.md
import { type Document, Long, ObjectId, Timestamp } from 'mongodb'
import type { Topology } from './topology.ts'

export const SET_NAME = 'rs0'

/** What a member does with a command: it refuses it, or runs it and perhaps changes the answer. */
type Verdict = { refusal?: Document; amend?: (answer: Document) => Document }

/** One member. `hosts` are the addresses of all members. */
export type Member = ReturnType<typeof createMember>

/** Commands that write. A secondary refuses them. */
const WRITES = ['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'dropIndexes', 'create', 'drop']

/** Commands that read. A secondary refuses them unless the client allows secondaries. */
const READS = ['find', 'aggregate', 'count', 'distinct', 'listCollections', 'listIndexes']

/** Codes of SDAM "Not writable primary and node is recovering", with the texts of the server. */
const ERRORS = {
  NotWritablePrimary: { code: 10_107, errmsg: 'not primary' },
  NotPrimaryNoSecondaryOk: { code: 13_435, errmsg: 'not primary and secondaryOk=false' },
  InterruptedDueToReplStateChange: { code: 11_602, errmsg: 'operation was interrupted' },
  PrimarySteppedDown: { code: 189, errmsg: 'Primary stepped down while waiting for replication' },
}

/** Creates a member that answers by the topology. `engineHello`: what the engine says of its limits and versions. */
export function createMember(index: number, hosts: readonly string[], topology: Topology, engineHello: Document) {
  const processId = new ObjectId()
  // SDAM "topologyVersion": of this process; the counter grows with each change that clients should learn.
  const topologyVersion = () => ({ processId, counter: Long.fromNumber(topology.counter()) })
  const failure = (codeName: keyof typeof ERRORS) => ({ codeName, ...ERRORS[codeName] })
  const refusal = (codeName: keyof typeof ERRORS): Verdict => ({
    refusal: { ok: 0, ...failure(codeName), topologyVersion: topologyVersion() },
  })

  const receiveAsSecondary = (name: string, command: Document): Verdict => {
    if (WRITES.includes(name)) return refusal('NotWritablePrimary')
    const mode = command.$readPreference?.mode ?? 'primary'
    return READS.includes(name) && mode === 'primary' ? refusal('NotPrimaryNoSecondaryOk') : {}
  }

  /** A step-down interrupts a write that waits for its locks, and one that was applied and waits for a majority. */
  const receiveAsPrimary = (name: string, command: Document): Verdict => {
    const met = WRITES.includes(name) ? topology.stepDownAt(command[name]) : undefined
    if (met === undefined) return {}
    if (met.caught === 'interrupted') {
      met.stepDown()
      return refusal('InterruptedDueToReplStateChange')
    }
    const amend = (answer: Document) => {
      met.stepDown()
      return { ...answer, writeConcernError: failure('PrimarySteppedDown'), topologyVersion: topologyVersion() }
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
        ...{ secondary: !isPrimary, helloOk: true, setName: SET_NAME, setVersion: 1, hosts, me: hosts[index] },
        ...(primary === undefined ? {} : { primary: hosts[primary] }),
        // SDAM "electionId": of two primaries drivers believe the one with the higher id.
        ...(isPrimary ? { electionId: new ObjectId(`7fffffff${term.toString(16).padStart(16, '0')}`) } : {}),
        ...{ topologyVersion: topologyVersion(), localTime: now, lastWrite: { opTime, lastWriteDate: now } },
      }
    },
    changeSince: topology.changeSince,
    receive: (name: string, command: Document): Verdict =>
      topology.primary() === index ? receiveAsPrimary(name, command) : receiveAsSecondary(name, command),
  }
}
