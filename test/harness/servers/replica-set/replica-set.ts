import { connect, createServer, type Socket } from 'node:net'
import type { Document } from 'mongodb'
import { inject } from 'vitest'
import { listenOnFreePort } from '../../network/serve.ts'
import { become, type Caught, createMember, type Member, SET_NAME, type SetState } from './member.ts'
import { answerTo, collectionsOf, exactBody, type Message, messageOf, messageSplitter, withoutFields } from './wire.ts'

/** A replica set for drivers: each member speaks MongoDB's wire protocol, and all share the data of one engine. */
export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>

const MEMBERS = 3

/**
 * Starts a replica set in front of the run's MongoDB, with member 0 as its primary. The engine itself has no
 * replication: a write that one member accepted is at once on all of them, and nothing is ever rolled back. The engine
 * knows no sessions: the members remember retryable writes themselves, and refuse no transaction because we use none.
 */
export async function startReplicaSet() {
  const servers = Array.from({ length: MEMBERS }, () => createServer())
  const listening = await Promise.all(servers.map((server) => listenOnFreePort(server, () => undefined)))
  const hosts = listening.map(({ host }) => host)
  const engineHello = await helloOfEngine()
  const shared = { primary: 0, term: 1, isAlone: false, trap: undefined, writes: new Map() }
  const state: SetState = { hosts, engineHello, ...shared }
  for (const [index, server] of servers.entries()) {
    const member = createMember(index, state)
    server.on('connection', (client: Socket) => serveClient(client, connectEngine(), member))
  }
  return {
    /** Returns the address of the set with a database, for MONGODB_URL. */
    url: (databaseName: string) => `mongodb://${hosts.join()}/${databaseName}?replicaSet=${SET_NAME}`,
    elect: (member: number) => become(state, member),
    /** Makes all members secondaries, as between two elections. */
    losePrimary: () => become(state, undefined),
    /** Lets the primary wait in vain for a majority with each write, until the next election. */
    loseSecondaries() {
      state.isAlone = true
    },
    /**
     * Makes the primary step down during its next, or its n-th next, write to this collection. Resolves when it has.
     */
    stepDownDuring(collection: string, caught: Caught, nth = 1): Promise<void> {
      state.trap = { collection, caught, nth, sprung: Promise.withResolvers() }
      return state.trap.sprung.promise
    },
    /** Ends a member: its connections break, and new ones are refused. */
    kill: (member: number) => void listening[member]?.close(),
    close: async () => void (await Promise.all(listening.map(({ close }) => close()))),
  }
}

/** Opens a connection to the run's MongoDB, at a path or at host:port. */
function connectEngine(): Socket {
  const address = decodeURIComponent(new URL(inject('mongoUrl')).host)
  if (address.startsWith('/')) return connect(address)
  const [host = '', port = ''] = address.split(':')
  return connect(Number(port), host)
}

async function helloOfEngine(): Promise<Document> {
  const engine = connectEngine()
  const split = messageSplitter()
  engine.write(messageOf({ hello: 1, $db: 'admin' }))
  for await (const chunk of engine) {
    const [answer] = split(chunk)
    if (!answer) continue
    const { isWritablePrimary: _, topologyVersion: __, ...hello } = answer.command
    return hello
  }
  throw new Error('the engine closed the connection')
}

/** The fields of a command that only a server with sessions knows. */
const SESSION_FIELDS = ['lsid', 'txnNumber']

/** Serves one client of a member. The member answers hello and what it refuses; the engine answers the rest. */
function serveClient(client: Socket, engine: Socket, member: Member): void {
  for (const [one, other] of [[client, engine] as const, [engine, client] as const]) {
    one.on('error', () => one.destroy()).once('close', () => other.destroy())
  }
  const amendments = new Map<number, (answer: Document) => Document | undefined>()
  const serveRequest = (request: Message) => {
    const name = Object.keys(request.command)[0] ?? ''
    if (/^(hello|isMaster|ismaster)$/.test(name)) {
      return void client.write(answerTo(request, member.hello(name !== 'hello')))
    }
    const { answer, amend } = member.receive(name, request.command, collectionsOf(request))
    if (amend) amendments.set(request.requestId, amend)
    if (answer) client.write(answerTo(request, answer))
    else engine.write(withoutFields(request, SESSION_FIELDS))
  }
  const passAnswer = (answer: Message) => {
    const amend = amendments.get(answer.responseTo)
    amendments.delete(answer.responseTo)
    if (!amend) return void client.write(answer.bytes)
    const amended = amend(exactBody(answer))
    if (amended) client.write(messageOf(amended, answer.responseTo))
  }
  const [requests, answers] = [messageSplitter(), messageSplitter()]
  client.on('data', (chunk) => requests(chunk).forEach(serveRequest))
  engine.on('data', (chunk) => answers(chunk).forEach(passAnswer))
}
