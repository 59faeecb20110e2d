import { placeBody } from '../answers/place-payload.ts'
import type { Kind } from '../classify.ts'
import { type Exchange, htmlReply, type Reply, redirect } from '../exchange.ts'
import { stubOf, viewportCell } from '../payload/envelopes.ts'
import { guarded, row } from '../payload/row.ts'
import { sessionId } from '../payload/tracking.ts'
import { nameInUrl } from '../place/identity.ts'
import { hash } from '../random.ts'
import { isTrimmed, type Site } from '../site.ts'
import {
  idOfPage,
  placePayloadAddress,
  queryOfPage,
  searchPath,
  searchPayloadAddress,
  viewportOfPage,
} from './addresses.ts'
import { shell } from './shell.ts'

const session = (exchange: Exchange) => sessionId(hash(exchange.url.href.length))

function mapPage(site: Site, exchange: Exchange): string {
  const { viewport } = viewportOfPage(exchange)
  const state = row({ 0: viewportCell(viewport), 31: 0 })
  return shell(site, exchange, { title: 'Google Maps', state, content: { kind: 'map' } })
}

function searchPage(site: Site, exchange: Exchange): string {
  const { viewport, zoom } = viewportOfPage(exchange)
  const query = queryOfPage(exchange)
  const camera = viewportCell(viewport)
  const state = row({
    0: camera,
    3: [null, guarded([query, null, null, camera, null, null, 20])],
    5: [null, null, [null, [2, viewport.lon, viewport.lat, null, null, zoom]], [null, [query]]],
    31: 0,
  })
  const path = searchPath(site.options())
  const payload = searchPayloadAddress({ path, query, hl: exchange.hl, viewport, session: session(exchange) })
  return shell(site, exchange, { title: `${query} - Google Maps`, payload, state, content: { kind: 'search', query } })
}

function placePage(site: Site, exchange: Exchange, index: number): string {
  const { viewport } = viewportOfPage(exchange)
  const place = site.city.details(index)
  const { ids, location, title } = place
  const { placePages, blockPlainHttp } = site.options()
  const embeds = placePages === 'embed' && !blockPlainHttp
  const position = [null, null, location.lat, location.lon]
  const identity = row({ 0: ids.dataId, 1: title, 7: position, 15: ids.kgmid, 18: ids.placeId })
  const body = embeds ? placeBody(site, exchange, index, isTrimmed(site, exchange, true)) : undefined
  const state = row({
    0: viewportCell(viewport),
    3: row({ 5: guarded(stubOf(place, viewport)), 6: body }),
    5: [null, null, [null, [2, viewport.lon, viewport.lat, null, null, 15]], [null, null, identity]],
    31: 0,
  })
  const address = placePayloadAddress({ ...ids, ...location, title }, exchange.hl, viewport, session(exchange))
  const content = { kind: 'place', id: ids.dataId } as const
  return shell(site, exchange, {
    title: `${title} - Google Maps`,
    ...(embeds ? {} : { payload: address }),
    state,
    content,
  })
}

const addressBar = (site: Site, index: number, hl: string) => {
  const { ids, location, title } = site.city.details(index)
  return `${site.origin()}/maps/place/${nameInUrl(title)}/@${location.lat},${location.lon},17z/data=!3m1!4b1!4m6!3m5!1s${ids.dataId}!8m2!3d${location.lat}!4d${location.lon}!16s${encodeURIComponent(ids.kgmid)}?hl=${encodeURIComponent(hl)}`
}

const NID_SECONDS = 15_811_200

/** Answers all pages below `/maps`. Sets the NID cookie on clients without it. */
export function answerPage(site: Site, exchange: Exchange, kind: Kind): Reply {
  const reply = pageReply(site, exchange, kind)
  if (exchange.cookies.has('NID')) return reply
  const token = hash(site.city.seed, exchange.nth, Date.now()).toString(36)
  return { ...reply, cookies: [`NID=511=${token.repeat(6)}; Path=/; Max-Age=${NID_SECONDS}; HttpOnly; SameSite=Lax`] }
}

function pageReply(site: Site, exchange: Exchange, kind: Kind): Reply {
  if (kind === 'search-page') return htmlReply(searchPage(site, exchange))
  const id = kind === 'place-page' ? idOfPage(exchange) : undefined
  const index = id === undefined ? undefined : site.city.indexOf(id)
  if (index === undefined) return htmlReply(mapPage(site, exchange))
  const isDoor = !exchange.path.includes('!1s')
  return isDoor ? redirect(addressBar(site, index, exchange.hl)) : htmlReply(placePage(site, exchange, index))
}
