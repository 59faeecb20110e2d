import type { CollectorSettings } from '@placefleet/agent/collect/collector'
import type { Network } from '@placefleet/agent/collect/network'
import type { Guard } from '@placefleet/agent/egress/guard'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { onTestFinished } from 'vitest'
import { collectorOf } from './collecting.ts'

/** Places of one collect task, as the coordinator cuts them. */
const TASK_SIZE = 10

type Kinds = Partial<Record<string, number>>

/** The requests to the map site and to websites for one search and its places. */
export type Counted = {
  readonly listed: number
  readonly stored: number
  readonly search: Kinds
  readonly collect: Kinds
  readonly websitesVisited: number
}

export type Scenario = {
  readonly parameters?: Partial<TaskParameters> | undefined
  readonly rung?: CollectorSettings['rung']
  readonly open?: (guard: Guard) => Promise<Network>
  readonly site?: Partial<SiteOptions> | undefined
  readonly places?: number
  readonly places_wanted?: number
}

/**
 * Searches a city for bakeries and collects the places, in tasks of ten as a job would, and counts requests by kind.
 */
export async function countRequests(scenario: Scenario): Promise<Counted> {
  const { parameters = {}, site = {}, places = 480, places_wanted = 500, ...settings } = scenario
  const world = await startOutsideWorld({ seed: 7, places, options: { gzip: false, ...site } })
  onTestFinished(() => world.close())
  const proxies = parameters.include_emails ? [world.proxy.url] : []
  // The consent page may have an origin of its own.
  const allowHosts = new Set(site.consentElsewhere ? ['127.0.0.1'] : proxies.map((url) => new URL(url).host))
  const agent = collectorOf(world.site, { allowHosts, ...settings })
  const plain = { max_reviews: 0, max_images: 0, ...parameters }
  const found = await agent.search(plain, { proxies, places_wanted })
  const search = world.site.requests().kinds
  world.site.resetRequests()
  let stored = found.places.length
  for (let at = 0; at < found.references.length; at += TASK_SIZE) {
    stored += (await agent.collect(found.references.slice(at, at + TASK_SIZE), plain, { proxies })).places.length
  }
  return {
    listed: found.places.length + found.references.length,
    stored,
    search,
    collect: world.site.requests().kinds,
    websitesVisited: Object.keys(world.websites.requests().hosts).length,
  }
}
