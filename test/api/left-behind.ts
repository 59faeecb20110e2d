import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { natsServers } from '@placefleet/shared/nats'
import { BSON, type Db } from 'mongodb'
import { connect, type NatsConnection } from 'nats'

/** Where something was found, and what. */
export type Finding = { secret: string; form: string; place: string }

/** Everything a run leaves behind, by place. */
export type LeftBehind = Map<string, Buffer>

/** Returns the forms in which a secret may be hidden in bytes. */
function formsOf(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret)
  return {
    'as it is': secret,
    'in a URL': encodeURIComponent(secret),
    'in base64': bytes.toString('base64').replace(/=+$/, ''),
    'in base64url': bytes.toString('base64url'),
    'in hex': bytes.toString('hex'),
  }
}

/** Every secret that occurs anywhere, in any form. */
export function findSecrets(secrets: Record<string, string>, left: LeftBehind): Finding[] {
  return Object.entries(secrets).flatMap(([secret, value]) =>
    Object.entries(formsOf(value)).flatMap(([form, text]) =>
      [...left].flatMap(([place, bytes]) => (bytes.includes(text) ? [{ secret, form, place }] : [])),
    ),
  )
}

/** All documents of a database. */
export async function dumpDatabase(db: Db, left: LeftBehind, when: string): Promise<void> {
  for (const { name } of await db.listCollections().toArray()) {
    const documents = await db.collection(name).find().toArray()
    left.set(`collection ${name} ${when}`, Buffer.from(BSON.EJSON.stringify(documents)))
  }
}

/** All files below a directory. */
export function dumpFiles(directory: string, left: LeftBehind): void {
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) left.set(`file ${entry.name}`, readFileSync(join(entry.parentPath, entry.name)))
  }
}

/** Hears every message of a queue from now on, and in the end reads what its streams keep. */
export async function listenToQueue(natsUrl: string): Promise<{ end(left: LeftBehind): Promise<void> }> {
  const nats = await connect(natsServers(natsUrl))
  const heard: Buffer[] = []
  const all = nats.subscribe('>', {
    callback: (_error, { subject, headers, data }) => {
      heard.push(Buffer.from(`\n${subject} ${headers ?? ''} `), Buffer.from(data))
    },
  })
  await nats.flush()
  return {
    async end(left) {
      await readStreams(nats, heard)
      all.unsubscribe()
      await nats.close()
      left.set('messages', Buffer.concat(heard))
    },
  }
}

async function readStreams(nats: NatsConnection, heard: Buffer[]): Promise<void> {
  const manager = await nats.jetstreamManager()
  for await (const { config, state } of manager.streams.list()) {
    for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(config.name, { seq }).catch(() => undefined) // acknowledged ones are gone
      if (message) heard.push(Buffer.from(`\n${message.subject} `), Buffer.from(message.data))
    }
  }
}
