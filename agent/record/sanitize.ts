import type { CheckedPath } from '@placefleet/shared/path-report'
import { cookieNames, kindOf } from '../doctor/exchange-summary.ts'
import { parseBody } from '../maps/answers/body.ts'
import { withoutSecrets, withoutTokens } from '../maps/answers/unknown.ts'
import type { Exchange, ExchangeAnswer } from '../maps/requests/exchange.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'
import { readAnswer } from './read-answer.ts'
import { reduceAnswer } from './reduce.ts'

export type DoorExchange = {
  readonly path: Pick<CheckedPath, 'rung' | 'door'>
  readonly exchange: Exchange
  readonly answer: ExchangeAnswer
}

/** A pair of a request and its answer that may be shown to others. */
type SafePair = DoorExchange['path'] & {
  readonly by: Exchange['by']
  readonly request: { readonly method: string; readonly url: string; readonly headers: Record<string, string> }
  readonly answer: {
    readonly url: string
    readonly status: number
    readonly headers: Record<string, string>
    /** The names of the cookies that it set. */
    readonly cookies: string[]
    readonly milliseconds: number
    /** How much of its text is kept: what parsers read, or its first 20 kB with masks. */
    readonly kept: 'what parsers read' | 'its beginning, masked'
  }
  readonly text: string
}

/** What was taken out, each with how often. */
type RemovalCounts = Readonly<Record<string, number>>

/** The headers that tell something and belong to nobody. */
const SAFE_HEADERS =
  /^(?:accept|accept-language|user-agent|sec-ch-ua[\w-]*|content-type|retry-after|location|server|date)$/

/**
 * Takes out of exchanges what belongs to somebody: cookies, tokens, bodies of requests, the own address, and persons
 * with their pictures, who get pseudonyms of the same shape, the same in all answers. `now`: when they were recorded.
 */
export function sanitize(
  recorded: readonly DoorExchange[],
  now: number,
  address: string | undefined,
): { pairs: SafePair[]; removed: RemovalCounts } {
  const pseudonyms = createPseudonyms()
  for (const { answer } of recorded) {
    pseudonyms.learn(readAnswer(answer.text, now))
    pseudonyms.learnNeighbours(parseBody(answer.text))
  }
  const removed: Record<string, number> = {}
  const count = (what: string, times: number) => {
    if (times > 0) removed[what] = (removed[what] ?? 0) + times
  }
  const pairs = recorded.map(({ path, exchange, answer }): SafePair => {
    const { request, by } = exchange
    const cookies = cookieNames(answer.headers['set-cookie'])
    const sanitized = safeText(answer, pseudonyms, now)
    const text = address === undefined ? sanitized.text : sanitized.text.replaceAll(address, maskedAddress(address))
    count('values of cookies', cookies.length + (request.headers.cookie === undefined ? 0 : 1))
    count('bodies of requests', request.body === undefined ? 0 : 1)
    count('headers', unsafeHeaders(request.headers) + unsafeHeaders(answer.headers))
    count('characters of answers that no parser reads', Math.max(0, answer.text.length - text.length))
    return {
      ...path,
      by,
      request: { method: request.method, url: safeUrl(request.url), headers: safeHeaders(request.headers) },
      answer: {
        url: safeUrl(answer.url),
        status: answer.status,
        headers: safeHeaders(answer.headers),
        cookies,
        milliseconds: Math.round(answer.ms),
        kept: sanitized.whole ? 'what parsers read' : 'its beginning, masked',
      },
      text,
    }
  })
  count('names, texts and pictures of persons', pseudonyms.count())
  return { pairs, removed }
}

const PARSED: ReadonlySet<string> = new Set(['payload', 'feed', 'place', 'page'])

function safeText(answer: ExchangeAnswer, pseudonyms: Pseudonyms, now: number): { text: string; whole: boolean } {
  const { url, status, text } = answer
  const reduced = PARSED.has(kindOf(answer).kind) ? reduceAnswer(text, pseudonyms, now) : undefined
  if (reduced === undefined) return { text: withoutSecrets({ url, status, text }).text, whole: false }
  return { text: reduced, whole: true }
}

const maskedAddress = (address: string): string => address.replace(/[0-9a-f]/gi, '0')

/** The search stays, because whoever reads the recording must repeat it. */
const safeUrl = (url: string): string => withoutTokens(url)

const safeHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      SAFE_HEADERS.test(name.toLowerCase()) ? [[name.toLowerCase(), withoutTokens(value)]] : [],
    ),
  )

const unsafeHeaders = (headers: Readonly<Record<string, string>>): number =>
  Object.keys(headers).filter((name) => !SAFE_HEADERS.test(name.toLowerCase())).length
