import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { Server } from './typed-server.ts'

const MAX_DEPTH = 32
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Duplicate members: the last wins.
 * @throws AppError `unprocessable` for what is not JSON in UTF-8, `bad_request` for what is nested deeper than 32
 * levels or names a member that reaches for an object's prototype.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  const value = parse(text) // without recursion, whatever the depth
  if (deeperThan(MAX_DEPTH, text)) throw refused(`is nested deeper than ${MAX_DEPTH} levels`)
  if (reachesForPrototype(value)) throw refused('has a member that is not allowed: `__proto__`')
  return value
}

const refused = (message: string) =>
  new AppError('bad_request', `The body ${message}.`, { details: [{ path: '', message }] })

/** Reads bodies as JSON and as nothing else, and refuses a missing body where one is needed. */
export function acceptOnlyJson(app: Server): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (isEncoded(request)) throw unsupported()
    // Many clients name the type on every call. Whether a body was needed is decided below.
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
  new AppError('unsupported_media_type', 'Send the body as `Content-Type: application/json`, not compressed.')

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

/** Counts brackets outside of strings, so that no recursion of ours ever meets a body of unknown depth. */
function deeperThan(limit: number, text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (inString && character === '\\') i++
    else if (character === '"') inString = !inString
    else if (inString) continue
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (depth > limit) return true
  }
  return false
}

/** Such members are harmless here, since nothing copies them onto objects, and stay so if something ever does. */
function reachesForPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__')) return true
  const inner: unknown = Object.hasOwn(value, 'constructor') ? Reflect.get(value, 'constructor') : undefined
  if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')) return true
  return Object.values(value).some(reachesForPrototype)
}
