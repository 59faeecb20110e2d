import { isDeepStrictEqual } from 'node:util'
import { harmless } from '@placefleet/shared/commands/table'
import { isEssential, LISTED_REVIEW_PATHS, PLACE_PATHS, SEARCH_PATHS } from '../drift/watched-paths.ts'
import type { Verdict } from '../maps/requests/verdicts.ts'
import type { Bundle, RecordedPair } from './bundle.ts'
import { fieldsOf, type Reading, readAnswer } from './read.ts'

/** What the parsers read in an answer when it was recorded, and what they read now. */
type ReplayPair = Pick<RecordedPair, 'file' | 'rung' | 'door'> & {
  readonly status: number
  readonly was: RecordedPair['read']
  readonly is: RecordedPair['read']
}

type Replay = {
  readonly recorded_at: string
  readonly site: string
  readonly pairs: readonly ReplayPair[]
  /** The watched paths that no answer with such a payload has, with their fields. */
  readonly missing: readonly string[]
  /** Whether the parsers read the same as at the recording, and no field is missing that every place has. */
  readonly same: boolean
}

/** Reads a recording again, without a network. */
export function replay({ manifest, texts }: Bundle): Replay {
  const now = Date.parse(manifest.recorded_at)
  const readings: Reading[] = []
  const pairs = manifest.pairs.map(({ file, rung, door, by, answer: { url, status }, read: was }): ReplayPair => {
    const reading = readAnswer({ url, status, text: texts.get(file) ?? '', scripts: by === 'chromium' }, now)
    readings.push(reading)
    const { kind, verdict } = reading
    return { file, rung, door, status, was, is: { kind, verdict, fields: fieldsOf(reading) } }
  })
  const missing = missingPaths(readings)
  const same = pairs.every((pair) => isDeepStrictEqual(pair.was, pair.is)) && !missing.some(isEssential)
  return {
    recorded_at: manifest.recorded_at,
    site: manifest.report.site,
    pairs,
    missing: missing.map(({ path, field }) => `${path} (${field})`),
    same,
  }
}

const WATCHED = { place: PLACE_PATHS, search: SEARCH_PATHS, 'review window': LISTED_REVIEW_PATHS } as const
const WITH_ITEMS: ReadonlySet<Verdict> = new Set<Verdict>(['whole', 'trimmed', 'layout'])

function missingPaths(readings: readonly Reading[]) {
  return Object.entries(WATCHED).flatMap(([what, watched]) => {
    const answers = readings.filter((reading) => reading.what === what && WITH_ITEMS.has(reading.verdict))
    const fields = fieldsOf({ items: answers.flatMap(({ items }) => items) })
    return answers.length === 0 ? [] : watched.filter(({ field }) => !(field in fields))
  })
}

/** Returns the bundle with what the parsers read now as what they must read. */
export function accepted({ manifest, texts }: Bundle): Bundle {
  const { pairs } = replay({ manifest, texts })
  const read = new Map(pairs.map(({ file, is }) => [file, is]))
  const agreed = manifest.pairs.map((pair) => ({ ...pair, read: read.get(pair.file) ?? pair.read }))
  return { manifest: { ...manifest, pairs: agreed }, texts }
}

/** Shows a replay as text that is safe in a terminal: a stranger may have made the recording. */
export function replayText({ recorded_at, site, pairs, missing, same }: Replay): string {
  const lines = [
    `Recorded at ${recorded_at} from ${site}`,
    '',
    ...pairs.flatMap(pairLines),
    '',
    ...missing.map((path) => `missing: ${path}`),
    '',
    same ? 'The parsers read all as when it was recorded.' : 'Something differs: see "was" and "missing" above.',
  ]
  return harmless(lines.join('\n'))
}

function pairLines({ file, rung, door, status, was, is }: ReplayPair): string[] {
  const names = new Set([...Object.keys(was.fields), ...Object.keys(is.fields)])
  const changed = [...names].filter((name) => was.fields[name] !== is.fields[name])
  const head = [file, rung, door, status, is.kind, is.verdict, `${Object.keys(is.fields).length} fields`].join('  ')
  const before = was.kind === is.kind && was.verdict === is.verdict ? [] : [`      was ${was.kind}, ${was.verdict}`]
  return [
    head,
    ...before,
    ...changed.map((name) => `      ${name}: was ${was.fields[name] ?? 0}, is ${is.fields[name] ?? 0}`),
  ]
}
