import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parsePlacePage } from '../maps/place/page.ts'
import { isPlacePayload } from '../maps/place/payload/payload.ts'
import type { Judgement } from './judge.ts'
import { bodyOf, type Holds, holds, readReviews, readValue, reviewItems } from './read-answer.ts'
import { watch } from './reads.ts'

const CAPTURES = join(import.meta.dirname, 'captures')
/** Review times in the captures lie before it. */
const NOW = Date.UTC(2026, 10, 20)

/** What the captures of one kind of payload have in common. */
type KnownPaths = {
  readonly captures: number
  /**
   * The paths at which each of them has a value that the parsers read, and of a single one, each member of its list:
   * list indexes with dots, `*` for each member of a list.
   */
  readonly paths: readonly string[]
}

/** Reads the captures of the repository. */
export function knownPaths(): Map<Judgement['what'], KnownPaths> {
  const payloads = Map.groupBy(capturedPayloads(), (payload) => holds(payload, NOW))
  const known = new Map<Judgement['what'], KnownPaths>()
  for (const [what, captures] of payloads) {
    if (what === 'nodes' || what === 'nothing') continue
    const read = captures.map((payload) => pathsRead(payload, what))
    const always = [...new Set(read.flat())].filter((path) => read.every((paths) => paths.includes(path)))
    const isSure = captures.length > 1 ? () => true : (path: string) => isThere(captures[0], path, 'every')
    known.set(what, { captures: captures.length, paths: always.filter(isSure).sort() })
  }
  return known
}

function capturedPayloads(): unknown[] {
  const names = readdirSync(CAPTURES).filter((name) => /(?<!\.(expected|facts|parts))\.(json|txt|html)\.gz$/.test(name))
  return names.flatMap((name) => {
    const text = gunzipSync(readFileSync(join(CAPTURES, name))).toString('utf8')
    if (!text.trimStart().startsWith('<')) return [bodyOf(text).value]
    const { payload } = parsePlacePage(text)
    return isPlacePayload(payload) ? [payload] : []
  })
}

function pathsRead(payload: unknown, what: Holds): string[] {
  const items = what === 'reviews' ? reviewItems(payload, NOW) : undefined
  const watched = watch(items ?? payload)
  const view = watched.view
  if (items === undefined) readValue(view, what, NOW)
  else if (Array.isArray(view)) readReviews(view, NOW)
  return watched.paths()
}

/** Returns whether a payload has a value at a path: in some member of each list, or in every one. */
export function isThere(value: unknown, path: string, members: 'some' | 'every' = 'some'): boolean {
  const steps = path.split('.')
  const walk = (here: unknown, at: number): boolean => {
    if (here === null || here === undefined) return false
    const step = steps[at]
    if (step === undefined) return true
    if (!Array.isArray(here)) return false
    if (step !== '*') return walk(here[Number(step)], at + 1)
    return members === 'some'
      ? here.some((member) => walk(member, at + 1))
      : here.every((member) => walk(member, at + 1))
  }
  return walk(value, 0)
}
