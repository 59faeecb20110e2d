import type { City } from './map-site/city.ts'
import { type MapSiteStart, startMapSite } from './map-site/server.ts'
import { startForwardProxy } from './proxies/forward-proxy.ts'
import { type Robots, startWebsites } from './websites/server.ts'

/** The simulated outside world: the map site, the websites of its city, and a proxy that resolves their names. */
export type World = Awaited<ReturnType<typeof startOutsideWorld>>

/** Starts the world on this machine. Its websites can be reached through `proxy.url`. */
export async function startOutsideWorld({ robots, ...start }: MapSiteStart & { robots?: Robots }) {
  const site = await startMapSite(start)
  const city: City = site.city
  const websites = await startWebsites({ city, robots })
  const { host, port } = websites
  const resolve = (name: string) => (city.indexOfHost(name) === undefined ? undefined : { host, port })
  const proxy = await startForwardProxy({ resolve })
  const close = async () => {
    await proxy.close()
    await websites.close()
    await site.close()
  }
  return { site, websites, proxy, city, close }
}
