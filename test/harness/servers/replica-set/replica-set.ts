import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Document } from 'mongodb'
import { inject } from 'vitest'
import { serveClient } from './connection.ts'
import { createMember, type Member, SET_NAME } from './member.ts'
import { createSessions } from './sessions.ts'
import { type Caught, createTopology } from './topology.ts'
import { messageOf, messageSplitter } from './wire.ts'

/** A replica set for drivers: each member speaks MongoDB's wire protocol, and all share the data of one engine. */
export type ReplicaSet = {
  /** Returns the address of the set with a database, for MONGODB_URL. */
  url(databaseName: string): string
  elect(member: number): void
  /** Makes all members secondaries, as between two elections. */
  losePrimary(): void
  /** Lets the primary wait in vain for a majority with each write, until the next election. */
  loseSecondaries(): void
  /** Makes the primary step down during its next, or its n-th next, write to this collection. Resolves when it has. */
  stepDownDuring(collection: string, caught: Caught, nth?: number): Promise<void>
  /** Ends a member: its connections break, and new ones are refused. */
  kill(member: number): void
  close(): void
}

const MEMBERS = 3

/**
 * Starts a replica set in front of the run's MongoDB, with member 0 as its primary. The engine itself has no
 * replication: a write that one member accepted is at once on all of them, and nothing is ever rolled back. The engine
 * knows no sessions: the members remember retryable writes themselves, and refuse no transaction because we use none.
 */
export async function startReplicaSet(): Promise<ReplicaSet> {
  const servers = Array.from({ length: MEMBERS }, () => createServer())
  const hosts = await Promise.all(servers.map(listen))
  const [topology, sessions] = [createTopology(), createSessions()]
  const shared = { hosts, topology, sessions, engineHello: await engineHello() }
  const sockets = servers.map((server, index) => serve(server, createMember(index, shared)))
  topology.elect(0)
  const kill = (index: number) => {
    servers[index]?.close()
    for (const socket of sockets[index] ?? []) socket.resetAndDestroy()
  }
  return {
    url: (databaseName) => `mongodb://${hosts.join()}/${databaseName}?replicaSet=${SET_NAME}`,
    elect: topology.elect,
    losePrimary: topology.losePrimary,
    loseSecondaries: topology.loseSecondaries,
    stepDownDuring: topology.stepDownDuring,
    kill,
    close: () => servers.forEach((_, index) => void kill(index)),
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `127.0.0.1:${address.port}`
}

/** Opens a connection to the run's MongoDB, at a path or at host:port. */
function connectEngine(): Socket {
  const address = decodeURIComponent(new URL(inject('mongoUrl')).host)
  if (address.startsWith('/')) return connect(address)
  const [host = '', port = ''] = address.split(':')
  return connect(Number(port), host)
}

async function engineHello(): Promise<Document> {
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

/** Serves the clients of a member, and returns its open sockets. */
function serve(server: Server, member: Member): Set<Socket> {
  const open = new Set<Socket>()
  server.on('connection', (client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    serveClient(client, connectEngine(), member)
  })
  return open
}
