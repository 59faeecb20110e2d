import { placeBody } from '../answers/place-payload.ts'
import type { Kind } from '../counters.ts'
import { type Exchange, htmlReply, type Reply, redirect } from '../exchange.ts'
import { stubOf, type Viewport } from '../payload/envelopes.ts'
import { row } from '../payload/row.ts'
import { sessionId } from '../payload/tracking.ts'
import { hash } from '../random.ts'
import { isTrimmed, type Site } from '../site.ts'
import { nameInUrl } from '../truth.ts'
import {
  idOfPage,
  placePayloadAddress,
  queryOfPage,
  searchPath,
  searchPayloadAddress,
  viewportOfPage,
} from './addresses.ts'
import { embedded, shell } from './shell.ts'

const cameraCell = ({ altitude, lat, lon, width, height }: Viewport) => [
  [altitude, lon, lat],
  null,
  [width, height],
  13.1,
]

const session = (exchange: Exchange) => sessionId(hash(exchange.url.href.length))

const hlOf = ({ url }: Exchange) => url.searchParams.get('hl') ?? 'en'

function mapPage(site: Site, exchange: Exchange): Reply {
  const { viewport } = viewportOfPage(exchange)
  return htmlReply(
    shell(site, exchange, {
      title: 'Google Maps',
      state: row({ 0: cameraCell(viewport), 31: 0 }),
      content: { kind: 'map' },
    }),
  )
}

function searchPage(site: Site, exchange: Exchange): Reply {
  const { viewport, zoom } = viewportOfPage(exchange)
  const query = queryOfPage(exchange)
  const camera = cameraCell(viewport)
  const state = row({
    0: camera,
    3: [null, embedded([query, null, null, camera, null, null, 20])],
    5: [null, null, [null, [2, viewport.lon, viewport.lat, null, null, zoom]], [null, [query]]],
    31: 0,
  })
  const payload = searchPayloadAddress({
    path: searchPath(site.options()),
    query,
    hl: hlOf(exchange),
    viewport,
    session: session(exchange),
  })
  return htmlReply(
    shell(site, exchange, { title: `${query} - Google Maps`, payload, state, content: { kind: 'search', query } }),
  )
}

function placePage(site: Site, exchange: Exchange, index: number): Reply {
  const { viewport } = viewportOfPage(exchange)
  const place = site.city.details(index)
  const { ids, location, title } = place
  const { placePages, pageState, blockPlainHttp } = site.options()
  const hasState = pageState === 'inline' || pageState === 'keyed'
  const embeds = placePages === 'embed' && hasState && !blockPlainHttp
  const camera = cameraCell(viewport)
  const identity = row({
    0: ids.dataId,
    1: title,
    7: [null, null, location.lat, location.lon],
    15: ids.kgmid,
    18: ids.placeId,
  })
  const state = row({
    0: camera,
    3: row({
      5: embedded(stubOf(place, viewport)),
      6: embeds ? placeBody(site, exchange, index, isTrimmed(site, exchange, true), viewport) : undefined,
    }),
    5: [null, null, [null, [2, viewport.lon, viewport.lat, null, null, 15]], [null, null, identity]],
    31: 0,
  })
  const requested = { ...ids, ...location, title }
  const payload = embeds ? {} : { payload: placePayloadAddress(requested, hlOf(exchange), viewport, session(exchange)) }
  return htmlReply(
    shell(site, exchange, {
      title: `${title} - Google Maps`,
      ...payload,
      state,
      content: { kind: 'place', id: ids.dataId },
    }),
  )
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
  if (kind === 'search-page') return searchPage(site, exchange)
  const id = kind === 'place-page' ? idOfPage(exchange) : undefined
  const index = id === undefined ? undefined : site.city.indexOf(id)
  if (index === undefined) return mapPage(site, exchange)
  const isDoor = !exchange.path.includes('!1s')
  return isDoor ? redirect(addressBar(site, index, hlOf(exchange))) : placePage(site, exchange, index)
}
