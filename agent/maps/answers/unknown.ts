import { createHash } from 'node:crypto'
import { setNewest } from '@placefleet/shared/newest'
import { MAX_UNKNOWN_TEXT, type UnknownAnswer } from '@placefleet/shared/protocol'
import type { Answer } from './classify.ts'

const MOST = 3
/** A report that is lost is followed by another one within this time. */
const REPORTED_MS = 60_000

/** Remembers the last unrecognised answers, each for a few reports to the coordinator. */
export function createUnknownAnswers(now: () => number) {
  const answers = new Map<string, { answer: UnknownAnswer; until: number }>()
  return {
    record(unread: Answer): void {
      const answer = withoutSecrets(unread)
      setNewest(answers, answer.id, { answer, until: now() + REPORTED_MS }, MOST)
    },
    /** Returns the answers of the last minute, at most three. */
    recent: (): UnknownAnswer[] =>
      [...answers.values()].filter(({ until }) => until > now()).map(({ answer }) => answer),
  }
}

const MAX_PATH = 300
const ID_LENGTH = 16

/** Where the answer names a contributor, what stands in quotes or between tags may be a person's. */
const PERSONS = /\/contrib\/|googleusercontent\.com\/a[-/]/
const TEXTS = /"(?:[^"\\]|\\.)*"?|>[^<]+/gs
// The site chooses the text, so no pattern reads more than its length again for each character.
const SECRETS = [
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, // addresses of mail
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/g, // IPv4
  /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}(?![\w:])/gi, // IPv6
  /[\w-]{24,}/g, // session ids, tokens and keys
]

/** Returns the beginning of an answer in which everything that may be secret has the same shape, and no meaning. */
export function withoutSecrets({ url, status, text }: Answer): UnknownAnswer {
  const start = text.slice(0, MAX_UNKNOWN_TEXT).toWellFormed()
  const plain = PERSONS.test(start) ? start.replace(TEXTS, masked) : start
  const safe = withoutTokens(plain)
  const path = (URL.parse(url)?.pathname ?? '').replace(
    /[\w-]{24,}|@.*|(?<=\/place\/)[^/]*|(?<=\/search\/)[^/]*/g,
    masked,
  )
  const shape = JSON.stringify([path, status, masked(safe).slice(0, 500)])
  const id = createHash('sha256').update(shape).digest('hex').slice(0, ID_LENGTH)
  return { id, path: path.slice(0, MAX_PATH), status, text: safe }
}

/** Returns a text in which addresses and what may be a token have the same shape, and no meaning. */
export const withoutTokens = (text: string): string =>
  SECRETS.reduce((rest, secret) => rest.replace(secret, masked), text)

const masked = (text: string): string => text.replace(/\p{L}/gu, 'x').replace(/\p{Nd}/gu, '0')
