import { parseBody } from '@placefleet/agent/maps/answers/body'
import { parsePlacePayload } from '@placefleet/agent/maps/place/payload/payload'
import { parseSearchPayload } from '@placefleet/agent/maps/search/payload'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { capture } from './captures.ts'

// The next generation of the site, imitated: one index of a recorded answer, in all of its rows, holds something else.

/** The indexes that lead to a member. The index of a row is a star. */
type Path = readonly (number | '*')[]

const CHANGES = {
  null: (list: unknown[], at: number) => list.splice(at, 1, null),
  dropped: (list: unknown[], at: number) => list.splice(at, 1),
  shifted: (list: unknown[], at: number) => list.splice(at, 0, 'new'),
  wrapped: (list: unknown[], at: number) => list.splice(at, 1, [list[at]]),
} as const
type Change = keyof typeof CHANGES
const KINDS: readonly Change[] = ['null', 'dropped', 'shifted', 'wrapped']

function changedAt(payload: unknown, path: Path, change: Change): unknown {
  const copy: unknown = structuredClone(payload)
  apply(copy, path, change)
  return copy
}

function apply(list: unknown, [index, ...inner]: Path, change: Change): void {
  if (!Array.isArray(list) || index === undefined) return
  if (index === '*') for (const member of list) apply(member, inner, change)
  else if (inner.length > 0) apply(list[index], inner, change)
  else if (index < list.length) CHANGES[change](list, index)
}

/** Returns the paths to all members of a list, to this depth. */
function pathsIn(list: unknown, depth: number): Path[] {
  if (!Array.isArray(list) || depth === 0) return []
  return list.flatMap((member, at) => [[at], ...pathsIn(member, depth - 1).map((inner) => [at, ...inner])])
}

/** Every fourth of these, or all of them in the nightly run. */
const some = <T>(all: readonly T[]): T[] => all.filter((_one, at) => at % volume(4, 1) === 0)

const NODE_DEPTH = 3
const ROWS = 5

/** Returns a recorded search with its first rows: a change happens to all rows alike, so a few show what many show. */
function search(): { payload: unknown; row: unknown[] } {
  const payload = parseBody(capture('search-a.json'))
  if (!Array.isArray(payload)) throw new Error('the capture is no search')
  payload[0][1].splice(1 + ROWS)
  return { payload, row: payload[0][1][1] }
}

/** Without its key, or its title, a node is no place. */
const isMajor = ([first, ...inner]: Path) => inner.length === 0 && (first === 10 || first === 11)

test.each(KINDS)('a search is read although one index of its nodes is %s', (change) => {
  const { payload, row } = search()
  const { places } = parseSearchPayload(payload)
  expect(places).toHaveLength(ROWS)
  const paths = pathsIn(row[14], NODE_DEPTH).filter((path) => !isMajor(path))
  expect(paths.length).toBeGreaterThan(100)
  for (const path of some(paths)) {
    const found = parseSearchPayload(changedAt(payload, [0, 1, '*', 14, ...path], change))
    expect([path, found.places.length]).toEqual([path, places.length])
  }
})

test.each(KINDS)('a search of an envelope with one index %s is never of an unknown layout', (change) => {
  const { payload } = search()
  const rows: Path[] = pathsIn(payload, 2).filter((path) => path.length < 2 || path[0] !== 0)
  for (const path of [...rows, [0, 0], [0, 1], [0, 1, '*', 13], [0, 1, '*', 14]] satisfies Path[]) {
    const { shape } = parseSearchPayload(changedAt(payload, path, change))
    expect([path, ['found', 'empty', 'doubtful'].includes(shape)]).toEqual([path, true])
  }
})

test.each(['place-a.json', 'place-2026.json'])(
  '%s is read although one index is null, dropped, shifted or wrapped',
  (name) => {
    const payload = parseBody(capture(name))
    const node = Array.isArray(payload) ? payload[6] : []
    const inNode = pathsIn(node, NODE_DEPTH)
      .filter((path) => !isMajor(path))
      .map((path): Path => [6, ...path])
    const around = pathsIn(payload, 1).filter(([index]) => index !== 6)
    const wanted = parsePlacePayload(payload)
    if (!wanted.ok) throw new Error('the capture is no place')
    for (const path of some([...inNode, ...around])) {
      for (const change of KINDS) {
        const result = parsePlacePayload(changedAt(payload, path, change))
        expect([path, change, result.ok && result.place.place_key]).toEqual([path, change, wanted.place.place_key])
      }
    }
  },
)
