import type { JobData } from '@placefleet/shared/job'
import type { CheckedExit, CheckedPath, PathReport } from '@placefleet/shared/path-report'
import { parseProxyUrl } from '@placefleet/shared/proxy-url'
import { monotonicNow } from '@placefleet/shared/timing'
import type { SiteAccess } from '../collect/collector.ts'
import { detailOf } from '../collect/failure-detail.ts'
import type { Exchange } from '../maps/requests/exchange.ts'
import { asMapFailed, type MapFailed } from '../maps/requests/failure.ts'
import { createIdentities, type MapSession } from '../maps/requests/identity.ts'
import { ExitRests } from '../maps/requests/turns.ts'
import { isRefusal, VERDICTS } from '../maps/requests/verdicts.ts'
import { causesOf, conclusionOf } from './conclusion.ts'
import { DOORS_OF, type DoorResult, type Question } from './doors.ts'
import { summaryOf } from './exchange-summary.ts'

/** The search of a check. Coordinates in degrees. */
type CheckQuestion = {
  readonly keyword: string
  readonly language: JobData['language']
  readonly latitude: number
  readonly longitude: number
}

/** What a check asks when nobody names a search: restaurants exist everywhere, and these are many. */
export const USUAL_QUESTION: CheckQuestion = {
  keyword: 'restaurant',
  language: 'en',
  latitude: 52.52,
  longitude: 13.405,
}

type CheckOptions = {
  readonly question: CheckQuestion
  /** The exits to check. None: the own address. */
  readonly proxies: readonly string[]
  readonly signal: AbortSignal
  /** Called after each door with its exchanges. */
  readonly onPath?: OnPath | undefined
}

const RUNGS: Readonly<Record<SiteAccess['rung'], readonly CheckedPath['rung'][]>> = {
  auto: ['http', 'browser'],
  http: ['http'],
  browser: ['browser'],
}
const TOWN_ZOOM = 14
/** A check that repeats a failed request would hide that it failed. */
const ONCE = { tries: 1, timeouts: false }

export type OnPath = (path: CheckedPath, exchanges: readonly Exchange[]) => void

/** Asks in a session, and returns the exchanges since the last call of `take`. */
type Client = { readonly session: MapSession; take(): readonly Exchange[] }

/** Asks once through each door of each rung of each exit, in turns of the exits like any task. */
export async function checkPaths(
  access: SiteAccess,
  { question, proxies, signal, onPath }: CheckOptions,
): Promise<Omit<PathReport, 'chromium_problem'>> {
  const { keyword: query, language, latitude, longitude } = question
  const search = { query, viewport: { latitude, longitude, zoom: TOWN_ZOOM } }
  const exchanges: Exchange[] = []
  const take = () => exchanges.splice(0)
  const identities = createIdentities({ ...access, onExchange: (exchange) => exchanges.push(exchange) })
  const exits: CheckedExit[] = []
  try {
    for (const proxy of proxies.length === 0 ? [undefined] : proxies) {
      const identity = identities.of(access.exits.of(proxy), { language })
      const client = { session: { identity, signal, retryPolicy: ONCE }, take }
      exits.push(await checkExit(proxy, client, RUNGS[access.rung], { search }, onPath))
    }
  } finally {
    await identities.close()
  }
  return {
    site: access.base.origin,
    checked_at: new Date().toISOString(),
    exits,
    healthy: exits.every(({ causes }) => causes.length === 0),
    conclusion: conclusionOf(exits),
  }
}

/** A rung ends when its front page brings nothing or the exit is refused: a check must make no refusal worse. */
async function checkExit(
  proxy: string | undefined,
  client: Client,
  rungs: readonly CheckedPath['rung'][],
  asked: Omit<Question, 'place'>,
  onPath: OnPath | undefined,
): Promise<CheckedExit> {
  const paths: CheckedPath[] = []
  let place: Question['place']
  let address: string | undefined
  for (const rung of rungs) {
    let ended: string | undefined
    for (const [door, ask] of DOORS_OF[rung]) {
      const needsPlace = door !== 'front page' && door !== 'search'
      const note = ended ?? (needsPlace && !place ? 'no search has listed a place' : undefined)
      if (note !== undefined) {
        paths.push({ rung, door, verdict: 'not_asked', note, ...NOTHING })
        continue
      }
      client.take()
      const { result, failure } = await ask(client.session, { ...asked, place }).then(
        (result) => ({ result, failure: undefined }),
        (error: unknown) => ({ result: undefined, failure: asMapFailed(error) }),
      )
      const exchanges = client.take()
      const { address: seen, ...summary } = await summaryOf(exchanges)
      address ??= seen
      place ??= richest(result?.listed)
      const path = failure
        ? failedPath(failure, { rung, door, ...summary })
        : pathOf(result, { rung, door, ...summary })
      paths.push(path)
      onPath?.(path, exchanges)
      if (failure && endsRung(failure, door)) ended = `its ${door} brought nothing`
    }
  }
  return { exit: nameOf(proxy), ...(address !== undefined && { address }), paths, causes: causesOf(paths) }
}

const endsRung = ({ fault }: MapFailed, door: CheckedPath['door']): boolean =>
  isRefusal(fault) || VERDICTS[fault].next === 'stop' || (door === 'front page' && VERDICTS[fault].next === 'exit')

const NOTHING = { requests: 0, bytes: 0, milliseconds: 0, cookies: [], consent: false, limited: false, missing: [] }

/** What is known of a path whatever it brought. */
type Sent = Omit<CheckedPath, 'verdict' | 'note' | 'found' | 'limited' | 'missing'>

function failedPath({ fault, cause }: MapFailed, sent: Sent): CheckedPath {
  const rest = cause instanceof ExitRests ? cause.rest : undefined
  if (rest) {
    const until = new Date(Date.now() + rest.until - monotonicNow()).toISOString()
    const note = `it is paused until ${until} (${rest.reason})`
    return { rung: sent.rung, door: sent.door, verdict: 'not_asked', note, ...NOTHING }
  }
  const note = sent.kind === undefined ? detailOf(cause) : undefined
  return { ...sent, verdict: fault, ...(note !== undefined && { note }), limited: false, missing: [] }
}

function pathOf({ verdict, found, limited = false, missing = [] }: DoorResult, sent: Sent): CheckedPath {
  // A front page without a mark of the site may be an unrecognised wall.
  const isUnmarked = verdict === 'whole' && sent.door === 'front page' && sent.kind === 'unmarked'
  return {
    ...sent,
    verdict: isUnmarked ? 'unknown' : verdict,
    ...(found !== undefined && { found }),
    limited,
    missing: [...missing],
  }
}

/** The place with the most fields shows best which of them its own answer has. */
function richest(places: DoorResult['listed'] = []): Question['place'] {
  const [first] = places.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)
  return first && { place_key: first.place_key, title: first.title }
}

/** Without its login, which nobody may see. */
function nameOf(proxy: string | undefined): string {
  const parsed = proxy === undefined ? undefined : parseProxyUrl(proxy)
  return parsed?.ok ? `${parsed.proxy.host}:${parsed.proxy.port}` : 'own address'
}
