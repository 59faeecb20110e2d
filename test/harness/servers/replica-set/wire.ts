// MongoDB's wire protocol, as far as drivers and servers use it for commands:
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
import { BSON, type Document } from 'mongodb'

/** A message as it came. `command` is the body of a command or of its answer, without document sequences. */
export type Message = { bytes: Buffer; requestId: number; responseTo: number; operation: number; command: Document }

const HEADER = 16
const OP_REPLY = 1
/** Drivers send only their first hello with it, to a server whose version they do not know yet. */
const OP_QUERY = 2004
const OP_MSG = 2013

/** Splits a byte stream into messages. Call it with every chunk; it keeps the start of an unfinished message. */
export function messageSplitter(): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    while (rest.length >= HEADER && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0)
      messages.push(read(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    return messages
  }
}

function read(bytes: Buffer): Message {
  const operation = bytes.readInt32LE(12)
  const head = { bytes, requestId: bytes.readInt32LE(4), responseTo: bytes.readInt32LE(8), operation }
  if (operation === OP_QUERY) {
    const numbers = bytes.indexOf(0, HEADER + 4) + 1 // after the name: how many documents to skip and to return
    return { ...head, command: BSON.deserialize(bytes.subarray(numbers + 8)) }
  }
  if (operation !== OP_MSG) throw new Error(`this server does not know operation ${operation}`)
  return { ...head, command: bodyOf(bytes) }
}

/**
 * Returns where the body of an OP_MSG begins. Sections of kind 1, which are document sequences, may stand before it.
 */
function startOfBody(bytes: Buffer): number {
  let section = HEADER + 4
  while (bytes[section] === 1) section += 1 + bytes.readInt32LE(section + 1)
  return section + 1
}

const bodyOf = (bytes: Buffer, promoteValues = true): Document =>
  BSON.deserialize(bytes.subarray(startOfBody(bytes)), { allowObjectSmallerThanBufferSize: true, promoteValues })

/** Returns the body of an answer without a change of types, so that it can be encoded again. */
export const exactBody = ({ bytes }: Message): Document => bodyOf(bytes, false)

/** Returns the collection that a command names, or those that a `bulkWrite` names in its document sequence `nsInfo`. */
export function collectionsOf({ bytes, command }: Message): string[] {
  if (!('bulkWrite' in command)) return [String(Object.values(command)[0])]
  const name = bytes.indexOf('nsInfo\0')
  const end = name - 4 + bytes.readInt32LE(name - 4)
  const collections: string[] = []
  for (let at = name + 'nsInfo\0'.length; at < end; at += bytes.readInt32LE(at)) {
    const { ns } = BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)))
    collections.push(String(ns).slice(String(ns).indexOf('.') + 1))
  }
  return collections
}

/** Returns the bytes of an OP_MSG without some fields of its body. */
export function withoutFields(message: Message, names: readonly string[]): Buffer {
  if (!names.some((name) => name in message.command)) return message.bytes
  const kept = Object.entries(exactBody(message)).filter(([name]) => !names.includes(name))
  const start = startOfBody(message.bytes)
  const rest = message.bytes.subarray(start + message.bytes.readInt32LE(start))
  const bytes = Buffer.concat([message.bytes.subarray(0, start), BSON.serialize(Object.fromEntries(kept)), rest])
  bytes.writeInt32LE(bytes.length, 0)
  return bytes
}

/** Returns the bytes of the answer to a request, in the operation that the request expects. */
export function answerTo({ requestId, operation }: Message, body: Document): Buffer {
  if (operation !== OP_QUERY) return messageOf(body, requestId)
  const head = Buffer.alloc(HEADER + 20) // flags, cursor, first document, number of documents
  head.writeInt32LE(1, HEADER + 16)
  return withHeader(head, body, requestId, OP_REPLY)
}

/** Returns the bytes of an OP_MSG with this body: flags, and the kind of the only section. */
export const messageOf = (body: Document, responseTo = 0): Buffer =>
  withHeader(Buffer.alloc(HEADER + 5), body, responseTo, OP_MSG)

function withHeader(head: Buffer, body: Document, responseTo: number, operation: number): Buffer {
  const bytes = Buffer.concat([head, BSON.serialize(body)])
  bytes.writeInt32LE(bytes.length, 0)
  bytes.writeInt32LE(responseTo, 8)
  bytes.writeInt32LE(operation, 12)
  return bytes
}
