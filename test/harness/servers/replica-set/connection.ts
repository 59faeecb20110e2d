import type { Socket } from 'node:net'
import type { Document } from 'mongodb'
import type { Member } from './member.ts'
import { SESSION_FIELDS } from './sessions.ts'
import {
  answerTo,
  collectionsOf,
  EXHAUST_ALLOWED,
  exactBody,
  type Message,
  MORE_TO_COME,
  messageOf,
  messageSplitter,
  withoutFields,
} from './wire.ts'

const HELLO = ['hello', 'isMaster', 'ismaster']

/** Serves one client of a member. The member answers hello and what it refuses; the engine answers the rest. */
export function serveClient(client: Socket, engine: Socket, member: Member): void {
  const gone = closeTogether(client, engine)
  const amendments = new Map<number, (answer: Document) => Document | undefined>()

  const serveRequest = (request: Message) => {
    const name = Object.keys(request.command)[0] ?? ''
    if (HELLO.includes(name)) {
      const legacy = name !== 'hello'
      void answerHello(client, request, () => member.hello(legacy), member, gone).catch(() => client.destroy())
      return
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
    if (amended) client.write(messageOf(amended, { responseTo: answer.responseTo }))
  }

  const [requests, answers] = [messageSplitter(), messageSplitter()]
  client.on('data', (chunk) => requests(chunk).forEach(serveRequest))
  engine.on('data', (chunk) => answers(chunk).forEach(passAnswer))
}

/** Closes each socket when the other has closed. The signal aborts when they have. */
function closeTogether(one: Socket, other: Socket): AbortSignal {
  const gone = new AbortController()
  for (const socket of [one, other]) {
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      one.destroy()
      other.destroy()
      gone.abort()
    })
  }
  return gone.signal
}

let requestIds = 0

/**
 * Answers a hello: at once, or, when it names the topology version that the client knows, after a change of it. A client
 * that allows exhaust gets such answers until it closes the connection; each answers the one before it.
 * https://github.com/mongodb/specifications/blob/master/source/message/OP_MSG.md#exhaustallowed
 */
async function answerHello(
  client: Socket,
  request: Message,
  hello: () => Document,
  member: Member,
  gone: AbortSignal,
): Promise<void> {
  const { topologyVersion, maxAwaitTimeMS } = request.command
  if (topologyVersion === undefined) return void client.write(answerTo(request, hello()))
  const exhaust = (request.flags & EXHAUST_ALLOWED) !== 0
  let known = Number(topologyVersion.counter)
  let responseTo = request.requestId
  do {
    known = await member.changeSince(known, maxAwaitTimeMS, gone)
    const requestId = ++requestIds
    client.write(messageOf(hello(), { requestId, responseTo, flags: exhaust ? MORE_TO_COME : 0 }))
    responseTo = requestId
  } while (exhaust)
}
