import type { CollectorSettings } from '@placefleet/agent/collect/collector'
import type { Network } from '@placefleet/agent/collect/network'
import type { Guard } from '@placefleet/agent/egress/guard'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { onTestFinished } from 'vitest'
import { collecting, taskOf } from './collecting.ts'

/** Places of one collect task, as the coordinator cuts them. */
const TASK_SIZE = 10

type Kinds = Partial<Record<string, number>>

/** The requests to the map site and to websites for one search and its places. */
export type Counted = {
  readonly listed: number
  readonly stored: number
  readonly search: Kinds
  readonly collect: Kinds
  readonly websites: number
  readonly websitesVisited: number
}

export type Scenario = {
  readonly parameters?: Partial<TaskParameters>
  readonly rung?: CollectorSettings['rung']
  readonly open?: (guard: Guard) => Promise<Network>
  readonly site?: Partial<SiteOptions>
  readonly places?: number
  readonly keyword?: string
  readonly places_wanted?: number
}

/**
 * Searches a city, for bakeries unless told otherwise, and collects the places, in tasks of ten as a job would, and
 * counts requests by kind.
 */
export async function countRequests({
  parameters = {},
  rung = 'http',
  open,
  site,
  places = 480,
  keyword = 'bakery',
  places_wanted = 500,
}: Scenario): Promise<Counted> {
  const world = await startOutsideWorld({ seed: 7, places, ...(site ? { options: site } : {}) })
  onTestFinished(() => world.close())
  const emails = parameters.include_emails === true
  const proxies = emails ? [world.proxy.url] : []
  // The consent page may have an origin of its own.
  const allowHosts = new Set(emails ? [new URL(world.proxy.url).host] : site?.consentElsewhere ? ['127.0.0.1'] : [])
  const { run } = collecting({ mapsBaseUrl: world.site.url, rung, allowHosts, ...(open ? { open } : {}) })
  const plain = { max_reviews: 0, max_images: 0, ...parameters }
  const found = await run(taskOf({ kind: 'discover', keyword }, { parameters: plain, proxies, places_wanted }))
  const search = world.site.requests().kinds
  world.site.resetRequests()
  let stored = found.places.length
  for (let at = 0; at < found.references.length; at += TASK_SIZE) {
    const references = found.references.slice(at, at + TASK_SIZE)
    stored += (await run(taskOf({ kind: 'collect', references }, { parameters: plain, proxies }))).places.length
  }
  const { total, hosts } = world.websites.requests()
  return {
    listed: found.places.length + found.references.length,
    stored,
    search,
    collect: world.site.requests().kinds,
    websites: total,
    websitesVisited: Object.keys(hosts).length,
  }
}
