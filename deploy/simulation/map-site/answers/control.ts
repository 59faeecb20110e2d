import { z } from 'zod'
import { type Exchange, errorReply, type Reply } from '../exchange.ts'
import type { Site } from '../site.ts'

const json = (value: unknown, status = 200): Reply => ({
  status,
  body: JSON.stringify(value, null, 1),
  headers: { 'content-type': 'application/json; charset=UTF-8' },
})

const changeOptions = (site: Site, body: string): Reply => {
  try {
    return json(site.change(JSON.parse(body || '{}')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return json({ error: error.message }, 400)
    throw error
  }
}

/** Answers the control pages: options, counters and truth. They are not part of the site. */
export function answerControl(site: Site, { method, path, url, body, hl }: Exchange): Reply {
  const parameter = (name: string) => url.searchParams.get(name) ?? ''
  if (path === '/__sim/requests') {
    if (method === 'DELETE') site.counters.reset()
    return json(site.counters.read())
  }
  if (path === '/__sim/options') return method === 'POST' ? changeOptions(site, body) : json(site.options())
  if (path === '/__sim/truth') {
    const viewport = { lat: Number(parameter('lat')), lon: Number(parameter('lon')) }
    return json(site.city.keysOf(parameter('keyword'), parameter('lat') ? viewport : undefined))
  }
  const index = site.city.indexOf(path.slice('/__sim/place/'.length))
  if (index === undefined) return errorReply(404)
  return json(site.city.place(index, { language: hl, emails: parameter('emails') === '1' }))
}
