import pLimit, { type LimitFunction } from 'p-limit'

/** The ways to send a request to the map site, cheapest first: plain HTTP, and the page in Chromium. */
export const RUNGS = ['http', 'browser'] as const
export type Rung = (typeof RUNGS)[number]

/** The kinds of requests to the map site. Each has its own working rungs. */
export type Subject = 'search' | 'place' | 'reviews' | 'photos'

/**
 * What an exit remembers of a subject. `rung`: the first rung to try. `proven`: this rung returns everything, so a
 * part that is missing in an answer does not exist. `failedClimbs`: how many climbs to the top rung brought no complete
 * answer.
 */
export type SubjectMemory = { readonly rung: Rung; readonly proven: boolean; readonly failedClimbs: number }

/** After this many failed climbs, the answers of the lower rung count as complete. */
const MAX_FAILED_CLIMBS = 2

/** Returns whether climbing is useless. Then answers are accepted as they are. */
export const isClimbingUseless = ({ proven, failedClimbs }: SubjectMemory) =>
  !proven && failedClimbs >= MAX_FAILED_CLIMBS

/**
 * The best answer of a climb. `showsWholeAnswers`: if complete, it proves that the site does not trim the exit's answers.
 * `isEmpty`: it holds nothing, so its rung is no better than the one before.
 */
type ClimbEnd = {
  readonly rung: Rung
  readonly gaps: number
  readonly showsWholeAnswers: boolean
  readonly isEmpty: boolean
}

/** Returns what is remembered after a climb. */
export function memoryAfter(before: SubjectMemory, end: ClimbEnd): SubjectMemory {
  const rung = end.isEmpty ? before.rung : end.rung
  const proven = (end.gaps === 0 && end.showsWholeAnswers) || (rung === before.rung && before.proven)
  const isInVain = end.gaps > 0 && !proven
  const failedClimbs = isInVain ? Math.min(MAX_FAILED_CLIMBS, before.failedClimbs + 1) : before.failedClimbs
  return { rung, proven, failedClimbs }
}

/** The memory of one exit. It never passes to another exit: each has its own reputation with the site. */
export type RungMemory = {
  of(subject: Subject): SubjectMemory
  /** Remembers for five minutes. The same once more does not renew it, so cheap rungs are tried again. */
  remember(subject: Subject, remembered: SubjectMemory): void
  /** How often a question is asked on a rung before gaps in its answers count as the place's own. */
  repeats(rung: Rung, subject: Subject): Repeats
  /** Records how many answers to a request were trimmed before a whole one. */
  trimmed(subject: Subject, answers: number): void
  /**
   * Whether this search should fetch its first page twice, to detect omitted places. Always, until three comparisons in a
   * row were equal; then every fifth search.
   */
  repeatsFirstPage(): boolean
  /** Notes whether a repeated first page showed other places. */
  comparedFirstPages(hasOthers: boolean): void
  /** Runs the work when no other work for the subject runs. */
  alone<T>(subject: Subject, work: () => Promise<T>): Promise<T>
  /** Records that the site answered a subject with the page for clients without scripts: for a day only Chromium asks. */
  needsScripts(subject: Subject): void
  wantsScripts(subject: Subject): boolean
  /** Whether the site refused the last request over plain HTTP, or wants scripts. A browser may be answered. */
  refusesHttp(): boolean
  /** Records that the site answered a subject on a rung. */
  served(rung: Rung, subject: Subject): void
  /**
   * Records that the site refused the exit on a rung. After two refusals without an answer between them, the rung is the
   * reason: for a day the exit starts on the next rung, because another attempt would cost another rest. Further refusals
   * at the same time (`at`) change nothing.
   */
  refused(rung: Rung, subject: Subject, at: number): void
  /** Records that the site answered a request for data. */
  servedData(by: RequestVia, url: URL): void
  /**
   * Call after a 403 without a captcha. True: the exit is blocked, because such requests worked before. False: the site
   * refuses this kind of request to everybody.
   */
  refusesExit(by: RequestVia, url: URL): boolean
  /**
   * Whether to skip reviews or photos: for a day after three of their requests in a row were refused, because they are
   * the reason.
   */
  isRefused(subject: Subject): boolean
  /** Records that one of several addresses for the same data refuses it: for an hour the others are used. */
  shut(door: string): void
  isShut(door: string): boolean
}

const REMEMBERED_MS = 300_000
/** One refusal may be about the address, which others use too. */
const UNANSWERED_REFUSALS = 2
const REFUSAL_REMEMBERED_MS = 24 * 3_600_000
const SHUT_REMEMBERED_MS = 3_600_000

/** The subjects without which a place can be stored. */
const EXTRAS: ReadonlySet<Subject> = new Set<Subject>(['reviews', 'photos'])
const MOST_REFUSALS_OF_EXTRA = 3

/** `sure`: this many trimmed answers in a row are very unlikely, so gaps in all of them belong to the place. */
export type Repeats = { readonly asks: number; readonly sure: boolean }

const RECENT = 40
const IMPOSSIBLE = 0.0001
const MOST_ASKS = 16
/** A prior: as if one trimmed and four whole answers had been seen. */
const ASSUMED = { trimmed: 1, whole: 4 }
/**
 * Until one answer was complete, nothing tells whether the site trims always or sometimes, so a request is repeated a few
 * times only. Chromium costs more.
 */
const UNPROVEN: Record<Rung, Repeats> = {
  http: { asks: 5, sure: false },
  browser: { asks: 2, sure: false },
}

/**
 * Returns how often to repeat a request, from the recent answers that the site trimmed. The site trims each answer by
 * chance, so a repeated request soon gets a whole one. The share of trimmed answers is not known exactly. The probability
 * that all answers are trimmed is therefore the mean over all shares that fit (a beta distribution).
 */
export function repeatsFor(recent: readonly boolean[]): Repeats {
  const trimmed = recent.filter(Boolean).length + ASSUMED.trimmed
  const answers = recent.length + ASSUMED.trimmed + ASSUMED.whole
  let probability = 1
  let asks = 0
  for (; probability >= IMPOSSIBLE && asks <= MOST_ASKS; asks++) probability *= (trimmed + asks) / (answers + asks)
  return { asks: Math.min(MOST_ASKS, asks), sure: asks <= MOST_ASKS }
}

const ENOUGH_COMPARISONS = 3
const SEARCHES_A_COMPARISON = 5

const NOTHING: SubjectMemory = { rung: 'http', proven: false, failedClimbs: 0 }

/** Creates an empty memory. `now` is the clock in milliseconds. */
export function createRungMemory(now: () => number): RungMemory {
  const known = new Map<Subject, { remembered: SubjectMemory; until: number }>()
  const unanswered: Record<Rung, number> = { http: 0, browser: 0 }
  const trims = new Map<Subject, readonly boolean[]>()
  const refusals = new Map<Subject, { count: number; at: number }>()
  let lowest: { rung: Rung; until: number } | undefined
  let lastRefusedAt: number | undefined
  const scripted = new Map<Subject, number>()
  const shutDoors = new Map<string, number>()
  const wantsScripts = (subject: Subject) => (scripted.get(subject) ?? 0) > now()
  const lowestServed = (): Rung => (lowest && lowest.until > now() ? lowest.rung : 'http')
  const of = (subject: Subject): SubjectMemory => {
    const hint = known.get(subject)
    const remembered = hint && hint.until > now() ? hint.remembered : NOTHING
    const least = wantsScripts(subject) ? 'browser' : lowestServed()
    return RUNGS.indexOf(remembered.rung) < RUNGS.indexOf(least) ? { ...NOTHING, rung: least } : remembered
  }
  return {
    of,
    remember(subject, remembered) {
      if (!isSame(of(subject), remembered)) known.set(subject, { remembered, until: now() + REMEMBERED_MS })
    },
    repeats: (rung, subject) => (of(subject).proven ? repeatsFor(trims.get(subject) ?? []) : UNPROVEN[rung]),
    trimmed(subject, answers) {
      const recent = [...(trims.get(subject) ?? []), ...Array<boolean>(answers).fill(true), false]
      trims.set(subject, recent.slice(-RECENT))
    },
    ...createFirstPageChecks(),
    ...createTurns(),
    ...createDataRefusals(),
    needsScripts(subject) {
      scripted.set(subject, now() + REFUSAL_REMEMBERED_MS)
    },
    wantsScripts,
    refusesHttp: () => unanswered.http > 0 || [...scripted.keys()].some(wantsScripts),
    served(rung, subject) {
      unanswered[rung] = 0
      refusals.delete(subject)
    },
    refused(rung, subject, at) {
      if (at === lastRefusedAt) return
      lastRefusedAt = at
      const next = RUNGS[RUNGS.indexOf(rung) + 1]
      unanswered[rung]++
      if (unanswered[rung] >= UNANSWERED_REFUSALS && next) lowest = { rung: next, until: now() + REFUSAL_REMEMBERED_MS }
      if (EXTRAS.has(subject)) refusals.set(subject, { count: (refusals.get(subject)?.count ?? 0) + 1, at })
    },
    shut(door) {
      shutDoors.set(door, now() + SHUT_REMEMBERED_MS)
    },
    isShut: (door) => (shutDoors.get(door) ?? 0) > now(),
    isRefused(subject) {
      const { count = 0, at = 0 } = refusals.get(subject) ?? {}
      return count >= MOST_REFUSALS_OF_EXTRA && at + REFUSAL_REMEMBERED_MS > now()
    },
  }
}

/** Decides which searches fetch their first page twice. */
function createFirstPageChecks(): Pick<RungMemory, 'repeatsFirstPage' | 'comparedFirstPages'> {
  let equalInARow = 0
  let searches = 0
  return {
    repeatsFirstPage() {
      if (equalInARow < ENOUGH_COMPARISONS) return true
      searches++
      return searches % SEARCHES_A_COMPARISON === 0
    },
    comparedFirstPages(hasOthers) {
      equalInARow = hasOthers ? 0 : equalInARow + 1
    },
  }
}

/** The site decides how many paths and URLs there are. */
const MOST_REMEMBERED = 1_000

/** Who requests data: plain HTTP, a script of the agent in an open page, or the page itself. */
export type RequestVia = 'http' | 'script' | 'page'

/** Tells a blocked exit from requests for data that the site refuses to every exit. */
function createDataRefusals(): Pick<RungMemory, 'servedData' | 'refusesExit'> {
  const served = new Set<string>()
  const refusedUrls = new Set<string>()
  return {
    servedData(by, { pathname }) {
      if (served.size >= MOST_REMEMBERED) served.clear()
      served.add(`${by} ${pathname}`)
    },
    refusesExit(by, { pathname, href }) {
      const isExit = served.delete(`${by} ${pathname}`) && !refusedUrls.has(href)
      if (refusedUrls.size >= MOST_REMEMBERED) refusedUrls.clear()
      refusedUrls.add(href)
      return isExit
    },
  }
}

/** Work on one subject runs one after the other. */
function createTurns(): Pick<RungMemory, 'alone'> {
  const turns = new Map<Subject, LimitFunction>()
  return {
    alone(subject, work) {
      const limit = turns.get(subject) ?? pLimit(1)
      turns.set(subject, limit)
      return limit(work)
    },
  }
}

function isSame(a: SubjectMemory, b: SubjectMemory): boolean {
  return a.rung === b.rung && a.proven === b.proven && a.failedClimbs === b.failedClimbs
}
