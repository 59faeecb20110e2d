import { isDeepStrictEqual } from 'node:util'
import { harmless } from '@placefleet/shared/commands/table'
import { PLACE_PATHS, SEARCH_PATHS } from '../drift/watched-paths.ts'
import type { Bundle, Manifest } from './bundle.ts'
import { type Judgement, judge } from './judge.ts'
import { isThere, knownPaths } from './paths.ts'

/** What the parsers read in an answer when it was recorded, and what they read now. */
type ReplayedPair = Pick<Manifest['pairs'][number], 'file' | 'rung' | 'door'> & {
  readonly status: number
  readonly was: Manifest['pairs'][number]['read']
  readonly is: Manifest['pairs'][number]['read']
}

/** What the answers with one kind of payload have of the paths that every capture of the repository has. */
type ComparedPaths = {
  readonly what: Judgement['what']
  readonly captures: number
  readonly present: number
  readonly missing: readonly string[]
}

type Replay = {
  readonly recorded_at: string
  readonly site: string
  readonly pairs: readonly ReplayedPair[]
  readonly paths: readonly ComparedPaths[]
  /**
   * Whether the parsers read the same as at the recording, and no path is missing. What a single capture has may be its
   * own, so its paths decide nothing.
   */
  readonly same: boolean
}

/** Reads a recording again, without a network, and compares it with the captures of the repository. */
export function replay({ manifest, texts }: Bundle): Replay {
  const now = Date.parse(manifest.recorded_at)
  const judged = manifest.pairs.map((pair) => {
    const { url, status } = pair.answer
    const text = texts.get(pair.file) ?? ''
    return { pair, judgement: judge({ url, status, text, scripts: pair.by === 'chromium' }, now) }
  })
  const pairs = judged.map(({ pair: { file, rung, door, answer, read }, judgement: { kind, verdict, fields } }) => {
    return { file, rung, door, status: answer.status, was: read, is: { kind, verdict, fields: { ...fields } } }
  })
  const paths = compared(
    judged.flatMap(({ judgement }) =>
      judgement.kind === 'payload' || judgement.payload !== undefined ? [judgement] : [],
    ),
  )
  const same =
    pairs.every((pair) => isDeepStrictEqual(pair.was, pair.is)) &&
    paths.every(({ captures, missing }) => captures === 1 || missing.length === 0)
  return { recorded_at: manifest.recorded_at, site: manifest.report.site, pairs, paths, same }
}

function compared(judgements: readonly Judgement[]): ComparedPaths[] {
  const known = knownPaths()
  return [...Map.groupBy(judgements, ({ what }) => what)].flatMap(([what, answers]): ComparedPaths[] => {
    const { captures = 0, paths: wanted = [] } = known.get(what) ?? {}
    const missing = wanted.filter((path) => !answers.some(({ payload }) => isThere(payload, path)))
    return wanted.length === 0
      ? []
      : [{ what, captures, present: wanted.length - missing.length, missing: missing.map(named) }]
  })
}

const FIELDS = new Map(
  [...PLACE_PATHS, ...SEARCH_PATHS].map(({ path, field }) => [
    path
      .replace(/^\w+\[|\]$/g, '')
      .replaceAll('][', '.')
      .replaceAll('i', '*'),
    field,
  ]),
)

/** A path with the field that it gives, where that is known. */
function named(path: string): string {
  const field = FIELDS.get(path)
  return field === undefined ? path : `${path} (${field})`
}

/** Returns the bundle with what the parsers read now as what they must read. */
export function accepted({ manifest, texts }: Bundle): Bundle {
  const { pairs } = replay({ manifest, texts })
  const read = new Map(pairs.map(({ file, is }) => [file, is]))
  const agreed = manifest.pairs.map((pair) => ({ ...pair, read: read.get(pair.file) ?? pair.read }))
  return { manifest: { ...manifest, pairs: agreed }, texts }
}

/** Shows a replay as text that is safe in a terminal: a stranger may have made the recording. */
export function replayText({ recorded_at, site, pairs, paths, same }: Replay): string {
  const lines = [
    `Recorded at ${recorded_at} from ${site}`,
    '',
    ...pairs.flatMap(pairLines),
    '',
    ...paths.flatMap(({ what, captures, present, missing }) => [
      `${what}: ${present} of the ${present + missing.length} paths that ${captures === 1 ? 'the one capture has' : `all ${captures} captures have`}`,
      ...missing.map((path) => `  missing: ${path}`),
    ]),
    '',
    same ? 'The parsers read all as when it was recorded.' : 'Something differs: see "was" and "missing" above.',
  ]
  return harmless(lines.join('\n'))
}

function pairLines({ file, rung, door, status, was, is }: ReplayedPair): string[] {
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
