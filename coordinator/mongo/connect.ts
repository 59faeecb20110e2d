import type { Socket } from 'node:net'
import { inTime } from '@placefleet/shared/timing'
import { type Collection, type Db, type Document, MongoClient } from 'mongodb'
import { Connection } from 'mongodb/lib/cmap/connection.js'

/**
 * The driver's connection, with a socket that no longer keeps a writer waiting once it is closed. In mongodb up to
 * 7.9.0 a command that starts while its connection breaks never ends: its write fails, and the driver waits for the
 * event `drain`, which a closed socket never emits. After that event the driver sees that the connection is closed, and
 * the command fails.
 */
class ClosingConnection extends Connection {
  constructor(socket: Socket, options: object) {
    super(socket, options)
    socket.once('close', () => {
      socket.emit('drain')
      socket.on('newListener', (event) => {
        if (event === 'drain') process.nextTick(() => socket.emit('drain'))
      })
    })
  }
}

/** A connected database. `close` may be called twice. */
export type Mongo = { client: MongoClient; db: Db; close(): Promise<void> }

const DEFAULT_DATABASE = 'placefleet'

/** Of MongoDB 8.0, the first with writes to several collections in one command. */
const OLDEST_WIRE_VERSION = 25

/**
 * The write concern of what may be lost: heartbeats, reports, claims of deliveries, counters such as rate limits. A crash
 * may lose the last writes, which take a third of the time.
 */
export const UNJOURNALED = { w: 1, j: false } as const

/**
 * The write concern of everything else: a write is acknowledged once it survives a crash. A replica set needs the
 * journals of a majority. A single server needs `w: 1`: killed with -9 under disk load, it lost acknowledged writes in
 * 41 of 130 runs with `majority`, and in none of 130 with `w: 1` (both with `j`).
 */
const DURABLE = {
  // A primary that lost its secondaries answers within this time, before waiting writes have taken all connections.
  set: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  single: { w: 1, journal: true },
} as const

/**
 * Connects to a MongoDB of any size and waits until it answers. Every write is acknowledged only once it survives a
 * crash. The database is the one the URL names, else `placefleet`.
 * @throws an error that `isDatabaseDown` recognises when no server answers within five seconds; Error when the URL asks
 * for other reads than from the primary, or when the server is too old.
 */
export async function connectMongo(url: string): Promise<Mongo> {
  const client = clientOf(url)
  await client.connect()
  const { setName, msg, maxWireVersion } = await client.db('admin').command({ hello: 1 })
  if (maxWireVersion < OLDEST_WIRE_VERSION) {
    await client.close()
    throw new Error('the database is older than MongoDB 8.0; use 8.0 or later')
  }
  const writeConcern = setName !== undefined || msg === 'isdbgrid' ? DURABLE.set : DURABLE.single
  return { client, db: client.db(databaseOf(url), { writeConcern }), close: () => client.close() }
}

/** Creates a client that reads only from the primary: what we read decides what we write. */
function clientOf(url: string): MongoClient {
  const options = {
    appName: 'placefleet-coordinator',
    // The driver repeats a write that an election interrupts, if the server has sessions. The embedded engine has none.
    // There, and when an election takes long, a write fails; so every write of ours is safe to repeat.
    retryWrites: true,
    ignoreUndefined: true,
    // A database that is down must turn into a 503 while the client still waits.
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    waitQueueTimeoutMS: 5_000,
    heartbeatFrequencyMS: 2_000,
    socketTimeoutMS: 60_000, // our slowest query, a batch of an export, takes well under a second
    maxPoolSize: 50, // more would only queue on a server with few cores: throughput peaked at 32 connections
    connectionType: ClosingConnection,
  }
  const client = new MongoClient(url, options)
  const { mode } = client.readPreference
  if (mode === 'primary') return client
  throw new Error(
    `its address has readPreference=${mode}, but only the primary knows the last writes; remove this option`,
  )
}

/** Returns a collection by name, with the type of its documents. Ids are UUID strings, or numbers where they count. */
export function collection<Doc extends Document>(db: Db, name: string): Collection<Doc> {
  return db.collection<Doc>(name)
}

/**
 * Returns the collection of what a deployment has one of: each room that needs it has one document in it, with an `_id` of its
 * own.
 */
export const deploymentOf = <Doc extends { _id: string }>(db: Db): Collection<Doc> => collection<Doc>(db, 'deployment')

const ANSWER_WITHIN_MS = 2_000

/** Returns a function that checks whether the database answers. */
export const pingDatabase = (db: Db): (() => Promise<boolean>) => answersInTime(() => db.command({ ping: 1 }))

/**
 * Returns a function that asks something and returns whether that succeeds within two seconds. Concurrent callers share one
 * question, so that health checks cannot overload the database.
 */
export function answersInTime(question: () => Promise<unknown>): () => Promise<boolean> {
  let pending: Promise<boolean> | undefined
  const ask = async () => {
    const answer = question().then(
      () => true,
      () => false, // the driver's failures say nothing beyond "down"
    )
    const isAnswered = await inTime(answer, ANSWER_WITHIN_MS)
    pending = undefined
    return isAnswered ?? false
  }
  return () => (pending ??= ask())
}

function databaseOf(url: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/?]+\/([^?]+)/.exec(url)?.[1]
  return path ? decodeURIComponent(path) : DEFAULT_DATABASE
}

/** The version of the database's schema that this release reads and writes. */
export const SCHEMA_VERSION = 1

const schemaOf = deploymentOf<{ _id: 'schema'; version: number }>

/** Notes the schema version in a new database. */
export async function noteSchema(db: Db): Promise<void> {
  await schemaOf(db).updateOne({ _id: 'schema' }, { $setOnInsert: { version: SCHEMA_VERSION } }, { upsert: true })
}

/** Returns the schema version of a database; that of this release if none is noted. */
export async function schemaVersion(db: Db): Promise<number> {
  return (await schemaOf(db).findOne({ _id: 'schema' }))?.version ?? SCHEMA_VERSION
}
