import { isOnMapSite, keyOfNamed, type NamedPlace } from '@placefleet/shared/named-place'
import { halfKeyOf } from '@placefleet/shared/place-key'
import { pageState, placeOfState } from '../answers/page-state.ts'
import { MapFailed } from '../requests/failure.ts'
import { openMapPage } from '../requests/map-page.ts'
import { type HttpSession, type MapAnswer, requestMap } from '../requests/map-request.ts'
import type { MapTab } from '../requests/map-tab.ts'
import { localeParameters, queryString, type Site } from '../urls/parameters.ts'
import { type PlaceUrl, parsePlaceUrl } from '../urls/place-url.ts'

type HalfNamedPlace = Exclude<NamedPlace, { kind: 'key' }>

/**
 * Asks the site for the whole key of a place: over the link with its CID, or its short link. Follows redirects within
 * the site only, none that names the key, and none back to the link. Throws MapFailed: `not_found` when the site names
 * no place there.
 */
export async function namedByHttp(session: HttpSession, named: HalfNamedPlace): Promise<PlaceUrl> {
  const { base } = session.identity
  const address = addressOf(named, session.identity)
  const answer = await requestMap(session, address, {
    kinds: ['place', 'page', 'feed', 'unmarked'],
    read: (page) => ({ value: page, verdict: placeOf(page) ? 'whole' : 'trimmed' }),
    mayFollow: (to) =>
      parsePlaceUrl(to.href) === undefined && (to.host === base.host || isOnMapSite(to)) && to.href !== address.href,
  })
  return checked(named, placeOf(answer), answer.kind === 'page')
}

/** The same in Chromium. It does not open short links: nothing keeps it within the site. */
export async function namedInBrowser(tab: MapTab, named: HalfNamedPlace): Promise<PlaceUrl> {
  if (named.kind === 'short_link') throw new MapFailed('layout')
  const { text, kind } = await openMapPage(tab, addressOf(named, tab))
  return checked(named, placeOf({ url: tab.page.url(), text }), kind === 'page')
}

const addressOf = (named: HalfNamedPlace, { base, locale }: Site): URL =>
  named.kind === 'short_link'
    ? new URL(named.url)
    : new URL(`/maps?${queryString({ cid: named.cid, ...localeParameters(locale) })}`, base)

const placeOf = ({ url, text }: Pick<MapAnswer, 'url' | 'text'>): PlaceUrl | undefined =>
  parsePlaceUrl(url) ?? placeOfState(pageState(text))

/** Returns the place, if it is the one that was named. An unrecognised page says nothing. */
function checked(named: HalfNamedPlace, place: PlaceUrl | undefined, isSitePage: boolean): PlaceUrl {
  if (!place) throw new MapFailed(isSitePage ? 'not_found' : 'layout')
  if (named.kind === 'cid' && halfKeyOf(place.place_key) !== keyOfNamed(named)) throw new MapFailed('layout')
  return place
}
