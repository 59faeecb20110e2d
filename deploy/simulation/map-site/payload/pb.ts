import type { Location } from '../city/geography.ts'

/** A token of a `pb` parameter. A message contains its members. */
interface Token {
  field: number
  type: string
  value: string
  members: Token[]
}

/** A malformed `pb`. The site answers with 400. */
export class BadPb extends Error {}

// Reads a parameter. A token may be malformed, and the count of a message wrong.
function readPb(pb: string): Token[] {
  if (!pb.startsWith('!')) throw new BadPb('no "!" at the start')
  return nest(pb.slice(1).split('!').map(readToken))
}

const readToken = (text: string): Token => {
  const [, field = '', type = '', value = ''] = /^(\d+)([msdfiebz])(.*)$/s.exec(text) ?? []
  const isText = type === 's' || type === 'z'
  if (!type || (!isText && (value === '' || !Number.isFinite(Number(value)))))
    throw new BadPb(`malformed token ${text}`)
  const plain = type === 's' ? value.replaceAll('*21', '!').replaceAll('*2A', '*') : value
  return { field: Number(field), type, value: plain, members: [] }
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
  return token && Number(token.value)
}

/** The content of a search request's `pb`. */
export interface SearchRequest {
  /** The centre of the requested map. */
  centre: Location | undefined
  /** Undefined when the request has no offset. */
  offset: number | undefined
  pageSize: number
  /** Without `!10b1` the answer has no places. */
  wantsPlaces: boolean
}

// The known fields with their types. They reveal a wrong count, which would move a member to another message.
const SEARCH_FIELDS = ['1s', '4m', '7i', '8i', '10b', '12m', '19m', '20m', '22m', '24m', '26m', '30m', '34m']
const VIEWPORT_FIELDS = ['1m', '2m', '3m', '4f']

function checkFields(tokens: Token[], known: string[], mayHaveOthers: boolean): void {
  for (const { field, type } of tokens) {
    const isKnown = known.some((name) => Number.parseInt(name, 10) === field)
    if (isKnown ? !known.includes(`${field}${type}`) : !mayHaveOthers)
      throw new BadPb(`field ${field} of type ${type} is out of place`)
  }
}

/**
 * Reads the `pb` of a search.
 * @throws BadPb
 */
export function readSearchPb(pb: string): SearchRequest {
  const tokens = readPb(pb)
  checkFields(tokens, SEARCH_FIELDS, true)
  checkFields(tokenAt(tokens, 4)?.members ?? [], VIEWPORT_FIELDS, false)
  const [lon, lat] = [numberAt(tokens, 4, 1, 2), numberAt(tokens, 4, 1, 3)]
  return {
    centre: lon === undefined || lat === undefined ? undefined : { lat, lon },
    offset: numberAt(tokens, 8),
    pageSize: Math.min(20, numberAt(tokens, 7) ?? 20),
    wantsPlaces: numberAt(tokens, 10) === 1,
  }
}

/**
 * Reads the id in the `pb` of `/maps/preview/place`.
 * @throws BadPb
 */
export const readPlacePb = (pb: string): string | undefined => tokenAt(readPb(pb), 1, 1)?.value
