import type { FastifyRequest } from 'fastify'
import { scan } from 'secure-json-parse'
import { AppError } from './errors.ts'
import type { Server } from './typed-server.ts'

const MAX_DEPTH = 32
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Of duplicate members the last wins.
 * @throws AppError `unprocessable` when the body is not JSON in UTF-8, `bad_request` when it is nested deeper than 32
 * levels or has a `__proto__` or `constructor.prototype` member.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes))
  if (isDeeperThan(MAX_DEPTH, value)) throw rejected(`is nested deeper than ${MAX_DEPTH} levels`)
  if (hasPrototypeMember(value)) throw rejected('has a forbidden member: `__proto__` or `constructor.prototype`')
  return value
}

const rejected = (message: string) =>
  new AppError('bad_request', `The body ${message}.`, { details: [{ path: '', message }] })

/** Accepts JSON bodies only, and rejects a missing body where the route needs one. */
export function acceptOnlyJson(app: Server): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (isEncoded(request)) throw unsupported()
    // Many clients send the content type with every call. The hook below rejects a body that is missing.
    return body.length === 0 ? undefined : parseJson(body)
  })
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (request.headers['content-length'] !== '0') throw unsupported()
    return undefined
  })
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body && request.body === undefined) {
      throw new AppError('unprocessable', 'The body is empty. Send a JSON object.')
    }
  })
}

const isEncoded = (request: FastifyRequest) => (request.headers['content-encoding'] ?? 'identity') !== 'identity'

const unsupported = () =>
  new AppError('unsupported_media_type', 'Send the body as `Content-Type: application/json`, uncompressed.')

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new AppError('unprocessable', 'The body is not valid UTF-8.', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('unprocessable', 'The body is not valid JSON.', { cause })
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Walks level by level, so a deep body cannot overflow the stack. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level = [value].filter(isObject)
  for (let depth = 0; depth < limit; depth++) level = level.flatMap((member) => Object.values(member).filter(isObject))
  return level.length > 0
}

/** Nothing copies such members onto objects today. Rejecting them keeps it harmless if something ever does. */
function hasPrototypeMember(value: unknown): boolean {
  if (!isObject(value)) return false
  return scan({ value }, { protoAction: 'error', constructorAction: 'error', safe: true }) === null
}
