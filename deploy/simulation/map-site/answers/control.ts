import { z } from 'zod'
import { type Exchange, errorReply, type Reply } from '../exchange.ts'
import type { SiteOptions } from '../options.ts'
import type { Site } from '../site.ts'

/** The changes that the control pages below `/__sim/` can make. */
export interface Control {
  /** @throws ZodError */
  change(change: unknown): SiteOptions
  resetCounters(): void
}

const json = (value: unknown, status = 200): Reply => ({
  status,
  body: JSON.stringify(value, null, 1),
  headers: { 'content-type': 'application/json; charset=UTF-8' },
})

const changeOptions = (control: Control, body: string): Reply => {
  try {
    return json(control.change(JSON.parse(body || '{}')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return json({ error: error.message }, 400)
    throw error
  }
}

const truthOf = (site: Site, { url }: Exchange): Reply => {
  const [lat, lon] = [url.searchParams.get('lat'), url.searchParams.get('lon')]
  const viewport = lat && lon ? { lat: Number(lat), lon: Number(lon) } : undefined
  return json(site.city.keysOf(url.searchParams.get('keyword') ?? '', viewport))
}

const placeOf = (site: Site, { url, path }: Exchange): Reply => {
  const index = site.city.indexOf(path.slice('/__sim/place/'.length))
  if (index === undefined) return errorReply(404)
  const { now } = site.options()
  const language = url.searchParams.get('hl') ?? 'en'
  return json(site.city.place(index, { language, now, emails: url.searchParams.get('emails') === '1' }))
}

/** Answers the control pages: options, counters and truth. They are not part of the site. */
export function answerControl(site: Site, exchange: Exchange, control: Control): Reply {
  const { method, path } = exchange
  if (path === '/__sim/requests' && method === 'DELETE') control.resetCounters()
  if (path === '/__sim/requests') return json(site.counters.read())
  if (path === '/__sim/options') return method === 'POST' ? changeOptions(control, exchange.body) : json(site.options())
  if (path === '/__sim/truth') return truthOf(site, exchange)
  return path.startsWith('/__sim/place/') ? placeOf(site, exchange) : errorReply(404)
}
