import type { JobData } from '@placefleet/shared/job'
import type { CheckedExit, CheckedPath, PathReport } from '@placefleet/shared/path-report'
import { parseProxyUrl } from '@placefleet/shared/proxy-url'
import type { SiteAccess } from '../collect/collector.ts'
import type { Exchange } from '../maps/requests/exchange.ts'
import { createIdentities } from '../maps/requests/identity.ts'
import { checkExit, type OnPath } from './check-exit.ts'
import { conclusionOf } from './conclusion.ts'

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

const RUNGS = { auto: ['http', 'browser'], http: ['http'], browser: ['browser'] } as const
const TOWN_ZOOM = 14
/** A check that repeats a failed request would hide that it failed. */
const ONCE = { tries: 1, timeouts: false }

/**
 * Asks the map site once through each door of each rung of each exit, as a client of its own, and reports what came. It
 * takes turns of the exits like any task. Throws the abort reason, or an error of the program.
 */
export async function checkPaths(
  access: SiteAccess,
  { question, proxies, signal, onPath }: CheckOptions,
): Promise<Omit<PathReport, 'chromium_problem'>> {
  const { keyword: query, language, latitude, longitude } = question
  const viewport = { latitude, longitude, zoom: TOWN_ZOOM }
  let taken: Exchange[] = []
  const identities = createIdentities({
    ...access,
    onExchange: (exchange) => taken.push(exchange),
  })
  const exits: CheckedExit[] = []
  try {
    for (const proxy of proxies.length === 0 ? [undefined] : proxies) {
      const identity = identities.of(access.exits.of(proxy), { language })
      const asking = {
        session: { identity, signal, retryPolicy: ONCE },
        taken() {
          const before = taken
          taken = []
          return before
        },
        onPath,
      }
      const rungs: readonly CheckedPath['rung'][] = RUNGS[access.rung]
      const checked = await checkExit(asking, rungs, { base: access.base, search: { query, language, viewport } })
      exits.push({ exit: nameOf(proxy), ...checked })
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

/** Without its login, which nobody may see. */
function nameOf(proxy: string | undefined): string {
  const parsed = proxy === undefined ? undefined : parseProxyUrl(proxy)
  return parsed?.ok ? `${parsed.proxy.host}:${parsed.proxy.port}` : 'own address'
}
