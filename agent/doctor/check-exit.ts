import type { CheckedExit, CheckedPath } from '@placefleet/shared/path-report'
import { monotonicNow } from '@placefleet/shared/timing'
import { detailOf } from '../collect/failure-detail.ts'
import type { Exchange } from '../maps/requests/exchange.ts'
import { asMapFailed, type MapFailed } from '../maps/requests/failure.ts'
import type { MapSession } from '../maps/requests/identity.ts'
import { ExitRests } from '../maps/requests/turns.ts'
import { isRefusal, VERDICTS } from '../maps/requests/verdicts.ts'
import { causesOf } from './conclusion.ts'
import { DOORS_OF, type DoorOfRung, type DoorResult, type Question } from './doors.ts'
import { type ExchangeSummary, summaryOf } from './exchange-summary.ts'

/** The session that asks, and its exchanges since the last call. */
type ExitCheck = {
  readonly session: MapSession
  taken(): readonly Exchange[]
  readonly onPath?: OnPath | undefined
}

export type OnPath = (path: CheckedPath, exchanges: readonly Exchange[]) => void

/**
 * Asks through each door of each rung, once. A rung ends when its front page brings nothing, or when the exit is
 * refused: a check must not make a refusal worse. Throws the abort reason, or an error of the program.
 */
export async function checkExit(
  asking: ExitCheck,
  rungs: readonly CheckedPath['rung'][],
  asked: Omit<Question, 'place'>,
): Promise<Pick<CheckedExit, 'address' | 'paths' | 'causes'>> {
  const paths: CheckedPath[] = []
  let place: Question['place']
  let address: string | undefined
  for (const rung of rungs) {
    let ended: string | undefined
    for (const door of DOORS_OF[rung]) {
      const note = ended ?? (door.needsPlace && !place ? 'no search has listed a place' : undefined)
      if (note !== undefined) {
        paths.push({ rung, door: door.name, verdict: 'not_asked', note, ...NOTHING })
        continue
      }
      const { result, failure, summary, exchanges } = await ask(asking, door, { ...asked, place })
      place ??= richest(result?.listed)
      address ??= summary.address
      const path = pathOf({ rung, door: door.name }, { result, failure, summary })
      paths.push(path)
      asking.onPath?.(path, exchanges)
      if (failure && endsRung(failure, door)) ended = `its ${door.name} brought nothing`
    }
  }
  return { ...(address !== undefined && { address }), paths, causes: causesOf(paths) }
}

type PathAnswer = {
  readonly result?: DoorResult | undefined
  readonly failure?: MapFailed | undefined
  readonly summary: ExchangeSummary
}

async function ask(
  { session, taken }: ExitCheck,
  door: DoorOfRung,
  question: Question,
): Promise<PathAnswer & { readonly exchanges: readonly Exchange[] }> {
  taken()
  try {
    const result = await door.ask(session, question)
    const exchanges = taken()
    return { result, exchanges, summary: await summaryOf(exchanges) }
  } catch (error) {
    const exchanges = taken()
    return { failure: asMapFailed(error), exchanges, summary: await summaryOf(exchanges) }
  }
}

const endsRung = ({ fault }: MapFailed, { name }: DoorOfRung): boolean =>
  isRefusal(fault) || VERDICTS[fault].next === 'stop' || (name === 'front page' && VERDICTS[fault].next === 'exit')

const NOTHING = { requests: 0, bytes: 0, milliseconds: 0, cookies: [], consent: false, limited: false, missing: [] }

function pathOf(
  path: Pick<CheckedPath, 'rung' | 'door'>,
  { result, failure, summary: { address: _, ...summary } }: PathAnswer,
): CheckedPath {
  const rest = failure?.cause instanceof ExitRests ? failure.cause.rest : undefined
  if (rest) {
    const until = new Date(Date.now() + rest.until - monotonicNow()).toISOString()
    return { ...path, verdict: 'not_asked', note: `it is paused until ${until} (${rest.reason})`, ...NOTHING }
  }
  const note = summary.kind === undefined ? detailOf(failure?.cause) : undefined
  const { verdict = failure?.fault ?? 'unknown', found, limited = false, missing = [] } = result ?? {}
  return {
    ...path,
    // A front page without a mark of the site may be an unrecognised wall.
    verdict: verdict === 'whole' && path.door === 'front page' && summary.kind === 'unmarked' ? 'unknown' : verdict,
    ...(note !== undefined && { note }),
    ...(found !== undefined && { found }),
    ...summary,
    limited,
    missing: [...missing],
  }
}

/** The place with the most fields shows best which of them its own answer has. */
function richest(places: DoorResult['listed'] = []): Question['place'] {
  const [first] = places.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)
  return first && { place_key: first.place_key, title: first.title }
}
