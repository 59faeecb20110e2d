import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import type { Server } from './typed-server.ts'

const MAX_DEPTH = 32

/**
 * The most values in a body: members and items at any depth. The largest request, an area of 2,000 positions, has
 * 6,100.
 */
const MAX_VALUES = 20_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Of duplicate members the last wins.
 * @throws AppError `unprocessable` when the body is not JSON in UTF-8, `bad_request` when it is nested deeper than 32
 * levels, has more than 20,000 values, or has a `__proto__` or `constructor.prototype` member.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const value = parse(decode(bytes))
  checkValues(value)
  return value
}

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
    const [place] = /line \d+ column \d+/.exec(String(cause)) ?? []
    throw new AppError('unprocessable', `The body is not valid JSON${place ? `, ${place}` : ''}.`, { cause })
  }
}

const rejected = (message: string) =>
  new AppError('bad_request', `The body ${message}.`, { details: [{ path: '', message }] })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Walks over a body once, level by level, so that a deep one cannot overflow the stack, and stops at the first fault.
 * No code copies members that could change a prototype today; rejecting them keeps future code safe.
 */
function checkValues(body: unknown): void {
  let level = [body].filter(isObject)
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) throw rejected(`is nested deeper than ${MAX_DEPTH} levels`)
    const next: object[] = []
    for (const parent of level) {
      if (changesPrototype(parent)) throw rejected('has a forbidden member: `__proto__` or `constructor.prototype`')
      for (const name in parent) {
        values += 1
        if (values > MAX_VALUES) throw rejected(`has more than ${MAX_VALUES} values`)
        const value: unknown = Reflect.get(parent, name)
        if (isObject(value)) next.push(value)
      }
    }
    level = next
  }
}

function changesPrototype(parent: object): boolean {
  if (Object.hasOwn(parent, '__proto__')) return true
  return (
    Object.hasOwn(parent, 'constructor') &&
    isObject(parent.constructor) &&
    Object.hasOwn(parent.constructor, 'prototype')
  )
}
