import type { Viewport } from './envelopes.ts'

/** A token of a `pb` parameter. A message contains its members. */
interface Token {
  field: number
  type: string
  value: string
  members: Token[]
}

/** A malformed `pb`. The site answers with 400. */
export class BadPb extends Error {}

const TOKEN = /^(\d+)([msdfiebz])(.*)$/s

const unescaped = (value: string) => value.replaceAll('*21', '!').replaceAll('*2A', '*')

/**
 * Reads a `pb` parameter.
 * @throws BadPb when a token is malformed or a message's count is wrong.
 */
function readPb(pb: string): Token[] {
  if (!pb.startsWith('!')) throw new BadPb('no "!" at the start')
  const tokens = pb.slice(1).split('!').map(readToken)
  return nest(tokens)
}

const readToken = (text: string): Token => {
  const match = TOKEN.exec(text)
  if (!match) throw new BadPb(`malformed token ${text}`)
  const [, field = '', type = '', value = ''] = match
  if (type !== 's' && type !== 'z' && !Number.isFinite(Number(value || Number.NaN)))
    throw new BadPb(`not a number: ${text}`)
  return { field: Number(field), type, value: type === 's' ? unescaped(value) : value, members: [] }
}

// A message's count includes all tokens below it, at any depth.
const nest = (tokens: Token[]): Token[] => {
  const top: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (!token) break
    top.push(token)
    if (token.type !== 'm') continue
    const inside = Number(token.value)
    if (at + inside >= tokens.length) throw new BadPb(`message ${token.field} counts ${inside} tokens`)
    token.members = nest(tokens.slice(at + 1, at + 1 + inside))
    at += inside
  }
  return top
}

/** Returns the token at a path of field numbers, e.g. `[4, 1]`. */
function tokenAt(tokens: Token[], ...path: number[]): Token | undefined {
  const [field, ...rest] = path
  const token = tokens.find((token) => token.field === field)
  return token && rest.length > 0 ? tokenAt(token.members, ...rest) : token
}

const numberAt = (tokens: Token[], ...path: number[]) => {
  const token = tokenAt(tokens, ...path)
  return token && token.value !== '' ? Number(token.value) : undefined
}

/** Returns the viewport message at a field; undefined if it is missing or has no centre. */
function viewportAt(tokens: Token[], ...path: number[]): Viewport | undefined {
  const lon = numberAt(tokens, ...path, 1, 2)
  const lat = numberAt(tokens, ...path, 1, 3)
  if (lon === undefined || lat === undefined) return undefined
  return {
    lat,
    lon,
    altitude: numberAt(tokens, ...path, 1, 1) ?? 13_000,
    width: numberAt(tokens, ...path, 3, 1) ?? 1024,
    height: numberAt(tokens, ...path, 3, 2) ?? 768,
    fieldOfView: numberAt(tokens, ...path, 4) ?? 13.1,
  }
}

/** The content of a search request's `pb`. */
export interface SearchRequest {
  viewport: Viewport | undefined
  /** Undefined when the request has no offset. */
  offset: number | undefined
  pageSize: number
  /** Without `!10b1` the answer has no places. */
  wantsPlaces: boolean
  fields: 'short' | 'full'
}

// The types of the known fields. They reveal a wrong count, which would move a member to another message.
const SEARCH_TYPES: Record<number, string> = {
  1: 's',
  4: 'm',
  7: 'i',
  8: 'i',
  10: 'b',
  12: 'm',
  19: 'm',
  20: 'm',
  22: 'm',
  24: 'm',
  26: 'm',
  30: 'm',
  34: 'm',
}
const VIEWPORT_TYPES: Record<number, string> = { 1: 'm', 2: 'm', 3: 'm', 4: 'f' }

const checkTypes = (tokens: Token[], types: Record<number, string>, mayHaveOthers: boolean) => {
  for (const { field, type } of tokens) {
    const expected = types[field]
    if (expected ? expected !== type : !mayHaveOthers) throw new BadPb(`field ${field} of type ${type} is out of place`)
  }
}

/**
 * Reads the `pb` of a search.
 * @throws BadPb
 */
export function readSearchPb(pb: string): SearchRequest {
  const tokens = readPb(pb)
  checkTypes(tokens, SEARCH_TYPES, true)
  checkTypes(tokenAt(tokens, 4)?.members ?? [], VIEWPORT_TYPES, false)
  return {
    viewport: viewportAt(tokens, 4),
    offset: numberAt(tokens, 8),
    pageSize: Math.min(20, numberAt(tokens, 7) ?? 20),
    wantsPlaces: numberAt(tokens, 10) === 1,
    fields: tokenAt(tokens, 24) ? 'full' : 'short',
  }
}

/** The content of a place request's `pb`. */
interface PlaceRequest {
  id: string | undefined
  viewport: Viewport | undefined
}

/**
 * Reads the `pb` of `/maps/preview/place`.
 * @throws BadPb
 */
export function readPlacePb(pb: string): PlaceRequest {
  const tokens = readPb(pb)
  return { id: tokenAt(tokens, 1, 1)?.value, viewport: viewportAt(tokens, 1, 3) }
}
