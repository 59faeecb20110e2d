// MongoDB's wire protocol, as far as drivers and servers use it for commands:
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
import { BSON, type Document } from 'mongodb'

/** A message as it came. `command` is the body of a command or of its answer, without document sequences. */
export type Message = {
  bytes: Buffer
  requestId: number
  responseTo: number
  operation: number
  flags: number
  command: Document
}

const HEADER = 16
const OP_REPLY = 1
/** Drivers send only their first hello with it, to a server whose version they do not know yet. */
export const OP_QUERY = 2004
export const OP_MSG = 2013

/** The flags of OP_MSG: further answers follow without a request, and the client accepts such answers. */
export const MORE_TO_COME = 1 << 1
export const EXHAUST_ALLOWED = 1 << 16

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
  const head = {
    bytes,
    requestId: bytes.readInt32LE(4),
    responseTo: bytes.readInt32LE(8),
    operation,
    flags: bytes.readUInt32LE(HEADER),
  }
  if (operation === OP_QUERY) {
    const name = HEADER + 4
    const numbers = bytes.indexOf(0, name) + 1 // how many documents to skip and to return
    return { ...head, command: BSON.deserialize(bytes.subarray(numbers + 8)) }
  }
  if (operation !== OP_MSG) throw new Error(`this server does not know operation ${operation}`)
  return {
    ...head,
    command: BSON.deserialize(bytes.subarray(bodyOf(bytes)), { allowObjectSmallerThanBufferSize: true }),
  }
}

/** Returns the body of an answer without a change of types, so that it can be encoded again. */
export const exactBody = ({ bytes }: Message): Document =>
  BSON.deserialize(bytes.subarray(bodyOf(bytes)), { allowObjectSmallerThanBufferSize: true, promoteValues: false })

/** Returns the collection that a command names, or those that a `bulkWrite` names in its document sequence `nsInfo`. */
export function collectionsOf({ bytes, command }: Message): string[] {
  if (!('bulkWrite' in command)) return [String(Object.values(command)[0])]
  const start = bytes.indexOf('nsInfo\0') + 'nsInfo\0'.length
  const end = start - 'nsInfo\0'.length - 4 + bytes.readInt32LE(start - 'nsInfo\0'.length - 4)
  const collections: string[] = []
  for (let at = start; at < end; at += bytes.readInt32LE(at)) {
    const { ns } = BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)))
    collections.push(String(ns).slice(String(ns).indexOf('.') + 1))
  }
  return collections
}

/** Returns the bytes of an OP_MSG without some fields of its body. */
export function withoutFields(message: Message, names: readonly string[]): Buffer {
  if (!names.some((name) => name in message.command)) return message.bytes
  const kept = Object.entries(exactBody(message)).filter(([name]) => !names.includes(name))
  const start = bodyOf(message.bytes)
  const rest = message.bytes.subarray(start + message.bytes.readInt32LE(start))
  const bytes = Buffer.concat([message.bytes.subarray(0, start), BSON.serialize(Object.fromEntries(kept)), rest])
  bytes.writeInt32LE(bytes.length, 0)
  return bytes
}

/** Returns where the body of an OP_MSG begins. Sections of kind 1, which are document sequences, may stand before it. */
function bodyOf(bytes: Buffer): number {
  let section = HEADER + 4
  while (bytes[section] === 1) section += 1 + bytes.readInt32LE(section + 1)
  return section + 1
}

/** Returns the bytes of the answer to a request, in the operation that the request expects. */
export function answerTo({ requestId, operation }: Message, body: Document, flags = 0): Buffer {
  return operation === OP_QUERY ? reply(requestId, body) : messageOf(body, { responseTo: requestId, flags })
}

/** Returns the bytes of an OP_MSG with this body. */
export function messageOf(body: Document, { requestId = 0, responseTo = 0, flags = 0 } = {}): Buffer {
  const head = Buffer.alloc(HEADER + 5) // flags, and the kind of the only section
  head.writeUInt32LE(flags, HEADER)
  return withHeader(Buffer.concat([head, BSON.serialize(body)]), { requestId, responseTo, operation: OP_MSG })
}

function reply(responseTo: number, body: Document): Buffer {
  const head = Buffer.alloc(HEADER + 20) // flags, cursor, first document, number of documents
  head.writeInt32LE(1, HEADER + 16)
  return withHeader(Buffer.concat([head, BSON.serialize(body)]), { requestId: 0, responseTo, operation: OP_REPLY })
}

function withHeader(
  bytes: Buffer,
  { requestId, responseTo, operation }: { requestId: number; responseTo: number; operation: number },
): Buffer {
  bytes.writeInt32LE(bytes.length, 0)
  bytes.writeInt32LE(requestId, 4)
  bytes.writeInt32LE(responseTo, 8)
  bytes.writeInt32LE(operation, 12)
  return bytes
}
