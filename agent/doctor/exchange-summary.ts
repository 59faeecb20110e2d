import type { CheckedPath } from '@placefleet/shared/path-report'
import { type AnswerKind, addressInRefusal, classifyAnswer } from '../maps/answers/classify.ts'
import type { Exchange, ExchangeAnswer } from '../maps/requests/exchange.ts'

/** What the answers to the requests of one door have in common. */
export type ExchangeSummary = Pick<
  CheckedPath,
  'requests' | 'status' | 'kind' | 'bytes' | 'milliseconds' | 'cookies' | 'consent'
> & {
  /** The address of the exit, as the site names it. */
  readonly address: string | undefined
}

const DATA_AND_PAGES: ReadonlySet<AnswerKind> = new Set(['payload', 'page', 'feed', 'place', 'unmarked', 'consent'])

/** Whether the site refused. A redirect that leads to no wall says nothing. */
const isRefused = ({ kind, answer: { status } }: ReturnType<typeof kindOf>): boolean =>
  !DATA_AND_PAGES.has(kind) && !(kind === 'broken' && status >= 300 && status < 400)

/** Waits for the answers of one door, and returns what is worth showing of them. */
export async function summaryOf(exchanges: readonly Exchange[]): Promise<ExchangeSummary> {
  const answers = (await Promise.all(exchanges.map(({ answer }) => answer))).filter((answer) => answer !== undefined)
  const kinds = answers.map(kindOf)
  // A refusal tells most. Else data does, which pages only lead to.
  const best = kinds.findLast(isRefused) ?? kinds.findLast(({ kind }) => kind === 'payload') ?? kinds.at(-1)
  return {
    requests: exchanges.length,
    ...(best && { status: best.answer.status, kind: best.kind }),
    bytes: answers.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    milliseconds: Math.round(answers.reduce((sum, { ms }) => sum + ms, 0)),
    cookies: [...new Set(answers.flatMap(({ headers }) => cookieNames(headers['set-cookie'])))],
    consent: kinds.some(({ kind }) => kind === 'consent'),
    address: answers.map(({ text }) => addressInRefusal(text)).find((address) => address !== undefined),
  }
}

/** Returns the kind of an answer. A redirect is known by where it leads. */
export function kindOf(answer: ExchangeAnswer): { readonly answer: ExchangeAnswer; readonly kind: AnswerKind } {
  const { status, headers, text } = answer
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined
  const url = isRedirect ? (URL.parse(headers.location ?? '', answer.url)?.href ?? answer.url) : answer.url
  return { answer, kind: classifyAnswer({ url, status, text }) }
}

/** Several cookies are joined by a comma or a line break. Dates in them have a comma, too, but no name behind it. */
export const cookieNames = (header = ''): string[] =>
  [...header.matchAll(/(?:^|, |\n)([\w!#$%&'*+.^`|~-]+)=/g)].map(([, name = '']) => name)
