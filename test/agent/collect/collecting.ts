import { setTimeout as sleep } from 'node:timers/promises'
import { type CollectionEnd, type CollectorSettings, createCollector } from '@placefleet/agent/collect/collector'
import { openNetwork } from '@placefleet/agent/collect/network'
import type { Task } from '@placefleet/agent/collect/task'
import type { City } from '@placefleet/deploy/simulation/map-site/city'
import { matchesOf } from '@placefleet/deploy/simulation/map-site/city/search'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { type MapSite, startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { metresBetween } from '@placefleet/shared/great-circle'
import { createLogger } from '@placefleet/shared/log'
import type { InputReport } from '@placefleet/shared/named-place'
import type { Place, PlaceReference } from '@placefleet/shared/place'
import type { TaskParameters } from '@placefleet/shared/protocol'
import type { WebsiteVisits } from '@placefleet/shared/website-visits'
import { expect, onTestFinished } from 'vitest'
import { comparable } from '../../harness/agents/comparable.ts'
import { PARAMETERS } from '../../harness/agents/task-parameters.ts'
import { ownChromium } from '../../harness/chromiums.ts'

/** Returns a task of either kind. */
export function taskOf(
  work: Task['work'],
  more: Omit<Partial<Task>, 'parameters'> & { parameters?: Partial<TaskParameters> } = {},
): Task {
  return {
    task_id: 'task',
    job_id: 'job',
    proxies: [],
    stored_place_keys: [],
    places_wanted: 500,
    ...more,
    work,
    parameters: { ...PARAMETERS, ...more.parameters },
  }
}

/** Returns a simulated map site that is closed with the test. It compresses only when asked to, which takes time. */
export async function mapSite(options: Partial<SiteOptions> = {}, places = 300) {
  const site = await startMapSite({ seed: 7, places, options: { gzip: false, ...options } })
  onTestFinished(() => site.close())
  return site
}

type Gathered = {
  end: CollectionEnd
  places: Place[]
  references: PlaceReference[]
  /** What was said of named places. */
  inputs: InputReport[]
  /** The visits to websites that came with the last place. */
  visits: WebsiteVisits | undefined
}

const openOwn: typeof openNetwork = (guard, settings) => openNetwork(guard, settings, ownChromium())

/** A simulated site needs no pace, and a block of it passes quickly. */
export const BRIEF_RESTS = { pace: undefined, inFlight: 1, restMs: 200 }

/** The settings of a collector, and the Chromium that it shares with others of the test file. */
type Settings = Partial<CollectorSettings> & {
  mapsBaseUrl: string
  open?: typeof openNetwork
  snoozes?: number
}

/**
 * Returns a collector that is closed with the test, and a way to run tasks on it. A refused task continues when its
 * exits have rested, as with a coordinator, at most `snoozes` times.
 */
export function collecting({ open = openOwn, snoozes = 4, ...settings }: Settings) {
  const log = createLogger('test', process.env.TEST_LOG ?? 'silent')
  const collector = createCollector(
    { rung: 'auto', allowHosts: new Set(), exits: BRIEF_RESTS, sandbox: process.getuid?.() !== 0, log, ...settings },
    open,
  )
  onTestFinished(() => collector.close())
  const run = async (task: Task, signal: AbortSignal = new AbortController().signal): Promise<Gathered> => {
    const places: Place[] = []
    const references: PlaceReference[] = []
    const inputs: InputReport[] = []
    let visits: WebsiteVisits | undefined
    const sink = {
      place: async (place: Place, soFar?: WebsiteVisits) => {
        places.push(place)
        visits = soFar
      },
      references: async (found: PlaceReference[]) => void references.push(...found),
      input: (report: InputReport) => void inputs.push(report),
      cells: () => undefined,
    }
    for (let nth = 0; ; nth++) {
      const known = { ...task, stored_place_keys: [...task.stored_place_keys, ...keysOf(places)] }
      const end = await collector.collect(known, sink, signal)
      if (end.kind !== 'snoozed' || nth === snoozes) return { end, places, references, inputs, visits }
      // A timer may fire a millisecond early, and a task that comes early is refused again.
      await sleep(Math.max(0, Math.ceil(end.until - performance.now())) + 1)
    }
  }
  return { collector, run }
}

type More = Omit<Partial<Task>, 'parameters' | 'work'>
type Reference = Extract<Task['work'], { kind: 'collect' }>['references'][number]

/** Returns a collector of a site, over plain HTTP unless told otherwise, with its two kinds of task. */
export function collectorOf(site: MapSite, settings: Partial<Settings> = {}) {
  const { collector, run } = collecting({ mapsBaseUrl: site.url, rung: 'http', ...settings })
  const search = (parameters: Partial<TaskParameters> = {}, more: More = {}) =>
    run(taskOf({ kind: 'discover', keyword: 'bakery' }, { ...more, parameters }))
  const collect = (
    places: readonly (number | Reference)[],
    parameters: Partial<TaskParameters> = {},
    more: More = {},
  ) => {
    const references = places.map((place) => (typeof place === 'number' ? referenceTo(site.city, place) : place))
    return run(taskOf({ kind: 'collect', references }, { ...more, parameters }))
  }
  return { collector, run, search, collect }
}

/** Returns a simulated site with a collector of it. */
export async function onSite(
  options: Partial<SiteOptions> = {},
  { places, ...settings }: Partial<Settings> & { places?: number } = {},
) {
  const site = await mapSite(options, places)
  return { site, city: site.city, ...collectorOf(site, settings) }
}

const referenceTo = (city: City, index: number) => ({ place_key: city.details(index).ids.dataId })

/** Fails unless each place is as the city has it. */
export function expectWhole(city: City, places: readonly Place[]): void {
  const truth = places.map(({ place_key }) => city.place(city.indexOf(place_key) ?? -1))
  expect(places.map(comparable)).toEqual(truth.map(comparable))
}

/** The middle of the city. */
export const CENTRE = { latitude: 52.52, longitude: 13.405 }

/** Returns the keys of all bakeries within a radius, sorted. */
export function keysWithin(city: City, radius: number): string[] {
  const places = matchesOf(city.seed, city.size, 'bakery').map((index) => city.details(index))
  const inside = places.filter(({ location: { lat, lon } }) => {
    return metresBetween(CENTRE, { latitude: lat, longitude: lon }) <= radius
  })
  return inside.map(({ ids }) => ids.dataId).sort()
}

/** Returns the sorted keys. */
export function keysOf(things: readonly { place_key: string }[]): string[] {
  return things.map(({ place_key }) => place_key).sort()
}

/** Returns the first places of a city that show so many reviews. */
export function placesWithReviews(city: City, least: number, most: number, count = 1): number[] {
  const shown = (index: number) => {
    const { rating } = city.details(index)
    return rating?.perStar ? rating.count : 0
  }
  const fitting = [...Array(city.size).keys()].filter((index) => shown(index) >= least && shown(index) <= most)
  if (fitting.length < count) throw new Error(`the city has only ${fitting.length} such places`)
  return fitting.slice(0, count)
}
