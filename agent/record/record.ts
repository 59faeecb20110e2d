import { isDeepStrictEqual } from 'node:util'
import type { CheckedPath, PathReport } from '@placefleet/shared/path-report'
import type { OnPath } from '../doctor/check-paths.ts'
import { cookieNames } from '../doctor/exchange-summary.ts'
import { parseBody } from '../maps/answers/body.ts'
import { withoutSecrets, withoutTokens } from '../maps/answers/unknown.ts'
import type { Exchange, ExchangeAnswer } from '../maps/requests/exchange.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Bundle, Manifest, RecordedPair } from './bundle.ts'
import { createDisguise, type Disguise } from './disguise.ts'
import { fieldsOf, readAnswer } from './read.ts'

/** Keeps what a check of the paths gets, and makes a bundle of it that may be shown to others. */
type Recorder = {
  readonly onPath: OnPath
  /**
   * Takes out what belongs to somebody: cookies, tokens, bodies of requests, the own address, proxies, and persons with
   * their pictures.
   */
  bundle(report: PathReport, asked: Pick<Manifest, 'keyword' | 'language'>): Promise<Bundle>
}

type Recorded = Pick<CheckedPath, 'rung' | 'door'> & { readonly exchange: Exchange; readonly answer: ExchangeAnswer }

/** The headers that tell something and belong to nobody. */
const SAFE_HEADERS =
  /^(?:accept|accept-language|user-agent|sec-ch-ua[\w-]*|content-type|retry-after|location|server|date)$/

export function createRecorder(): Recorder {
  const recording: Promise<Recorded | undefined>[] = []
  return {
    onPath({ rung, door }, exchanges) {
      for (const exchange of exchanges) {
        recording.push(exchange.answer.then((answer) => answer && { rung, door, exchange, answer }))
      }
    },
    async bundle(report, { keyword, language }) {
      const recorded = (await Promise.all(recording)).filter((answered) => answered !== undefined)
      const now = Date.parse(report.checked_at)
      const disguise = createDisguise()
      for (const { exchange, answer } of recorded) {
        disguise.learn(readAnswer(readable(exchange, answer), now).items)
        disguise.learnNeighbours(parseBody(answer.text))
      }
      const address = report.exits.find((exit) => exit.address !== undefined)?.address
      const texts = new Map<string, string>()
      const pairs = recorded.map((answered, at): RecordedPair => {
        const file = `${String(at + 1).padStart(3, '0')}.txt`
        const { text, ...kept } = safeText(answered, disguise, now)
        const safe = address === undefined ? text : text.replaceAll(address, address.replace(/[0-9a-f]/gi, '0'))
        texts.set(file, safe)
        return { file, ...safeExchange(answered), ...kept }
      })
      const removed = removedFrom(recorded, disguise)
      const { version } = manifest
      const recorded_at = report.checked_at
      return {
        manifest: { format: 1, version, recorded_at, keyword, language, report: withoutExits(report), removed, pairs },
        texts,
      }
    },
  }
}

const readable = ({ by }: Exchange, { url, status, text }: ExchangeAnswer) => ({
  url,
  status,
  text,
  scripts: by === 'chromium',
})

type SafeText = Pick<RecordedPair, 'whole' | 'read'> & { readonly text: string }

/** Disguises an answer, or only its beginning when parsers would read something else in the disguise. */
function safeText({ exchange, answer }: Recorded, disguise: Disguise, now: number): SafeText {
  const read = (text: string): RecordedPair['read'] => {
    const { kind, verdict, ...reading } = readAnswer({ ...readable(exchange, answer), text }, now)
    return { kind, verdict, fields: fieldsOf(reading) }
  }
  const original = read(answer.text)
  const disguised = disguise.apply(answer.text)
  if (isDeepStrictEqual(read(disguised), original)) return { text: disguised, whole: true, read: original }
  const { text } = withoutSecrets(answer)
  return { text, whole: false, read: read(text) }
}

function safeExchange({ rung, door, exchange, answer }: Recorded): Omit<RecordedPair, 'file' | 'whole' | 'read'> {
  const { by, request } = exchange
  return {
    rung,
    door,
    by,
    // The search stays, because whoever reads the recording must repeat it.
    request: { method: request.method, url: withoutTokens(request.url), headers: safeHeaders(request.headers) },
    answer: {
      url: withoutTokens(answer.url),
      status: answer.status,
      headers: safeHeaders(answer.headers),
      cookies: cookieNames(answer.headers['set-cookie']),
      milliseconds: Math.round(answer.ms),
    },
  }
}

const safeHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), withoutTokens(value)] as const)
      .filter(([name]) => SAFE_HEADERS.test(name)),
  )

/** Returns what was taken out, each with how often. */
function removedFrom(recorded: readonly Recorded[], disguise: Disguise): Record<string, number> {
  const headers = recorded.flatMap(({ exchange, answer }) =>
    Object.keys({ ...exchange.request.headers, ...answer.headers }),
  )
  const cookies = recorded.flatMap(({ exchange, answer }) => [
    ...cookieNames(answer.headers['set-cookie']),
    ...(exchange.request.headers.cookie === undefined ? [] : ['all of a request']),
  ])
  const counts = {
    'values of cookies': cookies.length,
    'bodies of requests': recorded.filter(({ exchange }) => exchange.request.body !== undefined).length,
    headers: headers.filter((name) => !SAFE_HEADERS.test(name.toLowerCase())).length,
    'names, long texts, pictures and tokens': disguise.count(),
  }
  return Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 0))
}

/** A report that names no proxy and no address. */
const withoutExits = (report: PathReport): PathReport => ({
  ...report,
  exits: report.exits.map(({ exit, paths, causes }, at) => ({
    exit: exit === 'own address' ? exit : `proxy ${at + 1}`,
    paths,
    causes,
  })),
})
