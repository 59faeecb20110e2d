import type { City } from './map-site/city.ts'
import { type MapSite, type MapSiteStart, startMapSite } from './map-site/server.ts'
import { type ForwardProxy, type ForwardProxyStart, startForwardProxy } from './proxies/forward-proxy.ts'
import { type Robots, startWebsites, type Websites } from './websites/server.ts'

/** The simulated outside world: the map site, the websites of its city, and a proxy that resolves their names. */
export type World = { site: MapSite; websites: Websites; proxy: ForwardProxy; city: City; close(): Promise<void> }

type WorldOptions = Pick<MapSiteStart, 'seed' | 'places' | 'port' | 'host' | 'options' | 'hold' | 'certificate'> & {
  robots?: Robots
}

/** Starts the world on this machine. Its websites can be reached through `proxy.url`. */
export async function startOutsideWorld(start: WorldOptions): Promise<World> {
  const site = await startMapSite(start)
  const { city } = site
  const websites = await startWebsites({ city, ...(start.robots ? { robots: start.robots } : {}) })
  const proxy = await startForwardProxy({ resolve: cityResolver(city, websites) })
  const close = async () => {
    await proxy.close()
    await websites.close()
    await site.close()
  }
  return { site, websites, proxy, city, close }
}

/** Returns the function that resolves the host names of a city's websites to their server. */
export const cityResolver =
  (city: City, { host, port }: Websites): ForwardProxyStart['resolve'] =>
  (name) =>
    city.indexOfHost(name) === undefined ? undefined : { host, port }
