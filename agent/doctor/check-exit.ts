import type { CheckedExit, CheckedPath } from '@placefleet/shared/path-report'
import { monotonicNow } from '@placefleet/shared/timing'
import { detailOf } from '../collect/failure-detail.ts'
import type { Exchange } from '../maps/requests/exchange.ts'
import { asMapFailed, type MapFailed } from '../maps/requests/failure.ts'
import type { MapSession } from '../maps/requests/identity.ts'
import { ExitRests } from '../maps/requests/turns.ts'
import { isRefusal, VERDICTS } from '../maps/requests/verdicts.ts'
import { causesOf } from './conclusion.ts'
import { type Brought, DOORS_OF, type DoorOfRung, type Question } from './doors.ts'
import { type Seen, seenIn } from './witness.ts'

/** The session that asks, and its exchanges since the last call. */
type ExitCheck = {
  readonly session: MapSession
  taken(): readonly Exchange[]
  readonly onPath?: OnPath | undefined
}

export type OnPath = (path: CheckedPath, exchanges: readonly Exchange[]) => void

/**
 * Asks through each door of each rung, once. A rung ends when its front page brings nothing, or when the exit is refused:
 * a check must not make a refusal worse. Throws the abort reason, or an error of the program.
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
      const { brought, failure, seen, exchanges } = await ask(asking, door, { ...asked, place })
      place ??= richest(brought?.listed)
      address ??= seen.address
      const path = pathOf({ rung, door: door.name }, { brought, failure, seen })
      paths.push(path)
      asking.onPath?.(path, exchanges)
      if (failure && endsRung(failure, door)) ended = `its ${door.name} brought nothing`
    }
  }
  return { ...(address !== undefined && { address }), paths, causes: causesOf(paths) }
}

type PathAnswer = {
  readonly brought?: Brought | undefined
  readonly failure?: MapFailed | undefined
  readonly seen: Seen
}

async function ask(
  { session, taken }: ExitCheck,
  door: DoorOfRung,
  question: Question,
): Promise<PathAnswer & { readonly exchanges: readonly Exchange[] }> {
  taken()
  try {
    const brought = await door.ask(session, question)
    const exchanges = taken()
    return { brought, exchanges, seen: await seenIn(exchanges) }
  } catch (error) {
    const exchanges = taken()
    return { failure: asMapFailed(error), exchanges, seen: await seenIn(exchanges) }
  }
}

const endsRung = ({ fault }: MapFailed, { name }: DoorOfRung): boolean =>
  isRefusal(fault) || VERDICTS[fault].next === 'stop' || (name === 'front page' && VERDICTS[fault].next === 'exit')

const NOTHING = { requests: 0, bytes: 0, milliseconds: 0, cookies: [], consent: false, limited: false, missing: [] }

function pathOf(
  path: Pick<CheckedPath, 'rung' | 'door'>,
  { brought, failure, seen: { address: _, ...seen } }: PathAnswer,
): CheckedPath {
  const rest = failure?.cause instanceof ExitRests ? failure.cause.rest : undefined
  if (rest) {
    const until = new Date(Date.now() + rest.until - monotonicNow()).toISOString()
    return { ...path, verdict: 'not_asked', note: `the exit rests until ${until} (${rest.reason})`, ...NOTHING }
  }
  const note = seen.kind === undefined ? detailOf(failure?.cause) : undefined
  const { verdict = failure?.fault ?? 'unknown', found, limited = false, missing = [] } = brought ?? {}
  return {
    ...path,
    // A front page without a mark of the site may be a wall that nobody knows.
    verdict: verdict === 'whole' && path.door === 'front page' && seen.kind === 'unmarked' ? 'unknown' : verdict,
    ...(note !== undefined && { note }),
    ...(found !== undefined && { found }),
    ...seen,
    limited,
    missing: [...missing],
  }
}

/** The place with the most fields shows best which of them its own answer has. */
function richest(places: Brought['listed'] = []): Question['place'] {
  const [first] = places.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)
  return first && { place_key: first.place_key, title: first.title }
}
