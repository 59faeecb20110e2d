import {
  knowsArea,
  type Misses,
  missesAfter,
  missesBeforeProbe,
} from '@placefleet/coordinator/monitors/changes/detection'
import { assess, type Finding, type WatchedPlace } from '@placefleet/coordinator/monitors/changes/rules'
import { expect, test } from 'vitest'
import { volume } from '../../../harness/volume.ts'

/** A town as it is, and a map site that leaves 46 % of its places out of each answer, as it was measured. */
const PLACES = 1_000
const MISSING = 0.46
const DAYS = 30
const SEEDS = volume(8, 200)
/** The town's events per day. */
const EVENTS = { new: 3, gone: 2, back: 1, changed: 4 }
/** Days that an event needs until a run has seen it, or has missed it often enough, but for one in a hundred. */
const DAYS_TO_NOTICE = { new: 7, back: 7, changed: 7, gone: 6 }

/** Places that a run probes, at most. */
const MOST_PROBES = 50

type Kind = keyof typeof EVENTS
type Truth = { day: number; kind: Kind; key: string }
type TownPlace = {
  open: boolean
  phone: number /** Its page says so; else the page is gone with it. */
  saysClosed: boolean
}

function dice(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Changes the town by a day. Gives what happened. */
function liveOneDay(town: Map<string, TownPlace>, day: number, random: () => number): Truth[] {
  const touched = new Set<string>()
  const anyone = (open: boolean) => {
    const some = [...town].filter(([key, place]) => place.open === open && !touched.has(key))
    const [key] = some[Math.floor(random() * some.length)] ?? []
    if (key !== undefined) touched.add(key)
    return key
  }
  const events: Truth[] = []
  const happen = (kind: Kind, key: string | undefined, change: Partial<TownPlace>) => {
    if (key === undefined) return
    town.set(key, { phone: 0, saysClosed: random() < 0.5, open: true, ...town.get(key), ...change })
    events.push({ day, kind, key })
  }
  for (let n = 0; n < EVENTS.new; n++) happen('new', `new ${day} ${n}`, {})
  for (let n = 0; n < EVENTS.gone; n++) happen('gone', anyone(true), { open: false })
  for (let n = 0; n < EVENTS.changed; n++) happen('changed', anyone(true), { phone: day })
  if (day > 20) for (let n = 0; n < EVENTS.back; n++) happen('back', anyone(false), { open: true })
  return events
}

/** A place as the monitor knows it, and the day of the run that saw it first. */
type Known = WatchedPlace & { since: number }

/** Returns the places that the next run probes. */
function probesOf(known: ReadonlyMap<string, Known>, misses: Misses | undefined): Set<string> {
  const least = missesBeforeProbe(misses)
  const missing = [...known].filter(([, { missed = 0 }]) => missed >= least)
  const longest = missing.sort(([, one], [, other]) => (other.missed ?? 0) - (one.missed ?? 0))
  return new Set(longest.slice(0, MOST_PROBES).map(([key]) => key))
}

/** Returns what one run finds: its searches list places at random. Known places are collected every `recheck` days. */
function runOnce(
  town: ReadonlyMap<string, TownPlace>,
  probes: ReadonlySet<string>,
  collected: Map<string, number>,
  { day, recheck, random }: { day: number; recheck: number; random: () => number },
): Map<string, Finding> {
  const findings = new Map([...probes].map((key): [string, Finding] => [key, { kind: 'vanished' }]))
  for (const [key, { open, phone, saysClosed }] of town) {
    if (!open && !saysClosed) continue
    const isListed = random() >= MISSING
    const isDue = day - (collected.get(key) ?? -Infinity) >= recheck
    if (probes.has(key) || (isListed && isDue)) {
      findings.set(key, {
        kind: 'stored',
        fields: { title: key, phone: `${phone}`, ...(!open && { closed: 'permanently' }) },
      })
      collected.set(key, day)
    } else if (isListed) {
      findings.set(key, { kind: 'listed' })
    }
  }
  return findings
}

/** Thirty days of a town and of the monitor that watches it. */
function simulate(seed: number, recheck: number, isCalm = false) {
  const random = dice(seed)
  const town = new Map(
    Array.from({ length: PLACES }, (_, n) => [`place ${n}`, { open: true, phone: 0, saysClosed: random() < 0.5 }]),
  )
  const known = new Map<string, Known>()
  const collected = new Map<string, number>()
  const truth: Truth[] = []
  const reported: Truth[] = []
  let misses: Misses | undefined
  let [knowsSince, cost, mostProbes] = [Infinity, 0, 0]
  for (let day = 0; day < DAYS; day++) {
    if (day > 0 && !isCalm) truth.push(...liveOneDay(town, day, random))
    const probes = probesOf(known, misses)
    mostProbes = Math.max(mostProbes, probes.size)
    const findings = runOnce(town, probes, collected, { day, recheck, random })
    const circumstances = { knowsArea: knowsArea(misses), whole: true }
    if (circumstances.knowsArea) knowsSince = Math.min(knowsSince, day)
    for (const key of new Set([...known.keys(), ...findings.keys()])) {
      const finding = findings.get(key) ?? { kind: 'absent' }
      if (finding.kind === 'stored') cost++
      const { place, change } = assess(known.get(key), finding, circumstances)
      if (place) known.set(key, { ...place, since: known.get(key)?.since ?? day })
      if (change) reported.push({ day, kind: change.type, key })
      // A vanished place is no longer known, so it is collected when it is back.
      if (change?.type === 'gone') collected.delete(key)
    }
    const present = [...known].filter(([, { state }]) => state === 'present')
    const before = present.filter(([key, { since }]) => since < day && !probes.has(key))
    const missed = before.filter(([, place]) => place.missed !== undefined).length
    misses = missesAfter(misses, { known: present.length, before: before.length, missed })
  }
  return { truth, reported, knowsSince, cost, mostProbes }
}

/** Returns how many of the reports are true, and how many of the noticeable events were reported. */
function score(kind: Kind, recheck: 1 | 7) {
  const counts = { reported: 0, right: 0, real: 0, found: 0 }
  for (const { truth, reported, knowsSince } of runs[recheck]) {
    const real = truth.filter((event) => event.kind === kind)
    const claims = reported.filter((event) => event.kind === kind)
    counts.reported += claims.length
    counts.right += claims.filter(({ key, day }) => real.some((event) => event.key === key && event.day <= day)).length
    const within = DAYS_TO_NOTICE[kind] + (kind === 'changed' ? recheck : 0)
    const noticeable = real.filter(({ day, key }) => isNoticeable(kind, day, key, truth, reported, knowsSince, within))
    counts.real += noticeable.length
    counts.found += noticeable.filter(({ key, day }) =>
      claims.some((claim) => claim.key === key && claim.day >= day),
    ).length
  }
  return { precision: counts.right / counts.reported, recall: counts.found / counts.real, real: counts.real }
}

/** Returns whether a monitor can know of an event: it knew the area or the place before, and had days enough. */
function isNoticeable(
  kind: Kind,
  day: number,
  key: string,
  truth: Truth[],
  reported: Truth[],
  knowsSince: number,
  within: number,
): boolean {
  if (day + within >= DAYS) return false
  if (kind === 'new') return day >= knowsSince && !truth.some((event) => event.key === key && event.kind === 'gone')
  const later = truth.filter((event) => event.key === key && event.day > day && event.day <= day + within)
  if (later.length > 0) return false // it did not last
  if (kind === 'back') return reported.some((event) => event.key === key && event.kind === 'gone' && event.day < day)
  return day >= 7 && !key.startsWith('new') // before, one in a hundred places was never seen
}

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1)
const runs = { 1: seeds.map((seed) => simulate(seed, 1)), 7: seeds.map((seed) => simulate(seed, 7)) }

test.each([
  ['new', 1],
  ['changed', 1],
  ['gone', 1],
  ['back', 1],
  ['new', 7],
  ['changed', 7],
  ['gone', 7],
  ['back', 7],
] as const)('reports of "%s" are 98 % true and complete, if a place is collected every %i days', (kind, recheck) => {
  const { precision, recall, real } = score(kind, recheck)
  expect(precision).toBeGreaterThanOrEqual(0.98)
  expect(recall).toBeGreaterThanOrEqual(0.98)
  expect(real).toBeGreaterThan(2)
})

test('a place that vanished or says that it is closed is gone within six runs that collect every place', () => {
  const gone = runs[1].flatMap(({ truth, reported }) =>
    reported.flatMap(({ kind, key, day }) => {
      const left = truth.findLast((event) => event.key === key && event.kind === 'gone' && event.day <= day)
      return kind === 'gone' ? [day - (left?.day ?? -Infinity) + 1] : []
    }),
  )
  expect(Math.max(...gone)).toBe(6)
})

test('a run probes 50 places at most', () => {
  for (const { mostProbes } of [...runs[1], ...runs[7]]) expect(mostProbes).toBeLessThanOrEqual(MOST_PROBES)
})

test('a town without changes gives no event but a new place in one of 50 months, although each run misses half of it', () => {
  const reported = seeds.flatMap((seed) => simulate(seed, 1, true).reported)
  expect(reported.filter(({ kind }) => kind !== 'new')).toEqual([])
  expect(reported.length).toBeLessThanOrEqual(0.02 * SEEDS)
})

test('a monitor of only new places costs a fraction of collecting everything every day', () => {
  for (const [index, { cost }] of runs[7].entries()) expect(cost).toBeLessThan((runs[1][index]?.cost ?? 0) / 3)
})
