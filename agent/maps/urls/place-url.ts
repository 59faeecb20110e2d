import { readNamedPlace } from '@placefleet/shared/named-place'
import {
  encode,
  localeParameters,
  pbMessage,
  pbNumber,
  pbText,
  queryString,
  type Site,
  viewportPb,
} from './parameters.ts'
import { PLACE_OPTIONS } from './pb-options.ts'

export interface PlaceUrl {
  readonly place_key: string
  readonly title?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly place_id?: string | undefined
}

const NUMBER = '(-?\\d{1,3}(?:\\.\\d+)?)'
const PLACE_ID = /(?:!(?:19|5)s|place_id:)(ChIJ[\w-]{10,60})/
const STREET_ZOOM = 17

/**
 * Reads a place URL in any form that names the whole key: from a card, from the address bar, with a `pb`, or with a
 * place id. The position is the place's own (`!3d`, `!4d`), not the viewport after `@`. Undefined for another URL.
 */
export function parsePlaceUrl(href: string): PlaceUrl | undefined {
  const named = readNamedPlace(href)
  if (named?.kind !== 'key') return undefined
  const text = decode(href)
  return {
    place_key: named.place_key,
    title: titleOf(href),
    latitude: degrees(new RegExp(`!3d${NUMBER}`).exec(text)?.[1], 90),
    longitude: degrees(new RegExp(`!4d${NUMBER}`).exec(text)?.[1], 180),
    place_id: PLACE_ID.exec(text)?.[1],
  }
}

/** Returns the URL of a place page, in the form that the site's result cards use. */
export function placePageUrl({ base, locale }: Site, place: PlaceUrl): URL {
  const inside = pbMessage(
    3,
    pbText(1, place.place_key),
    position(place, 8),
    place.place_id === undefined ? '' : pbText(19, place.place_id),
  )
  const data = pbMessage(4, inside).replaceAll('/', '%2F')
  const title = place.title === undefined ? '' : `/${encode(place.title)}`
  const query = queryString({ ...localeParameters(locale), rclk: '1' })
  return new URL(`/maps/place${title}/data=${data}?${query}`, base)
}

/** The key is enough for an answer; the rest makes the request equal to that of a page. */
export function placePayloadUrl({ base, locale }: Site, place: PlaceUrl): URL {
  const named = pbMessage(
    1,
    pbText(1, place.place_key),
    place.title === undefined ? '' : pbText(2, place.title),
    around(place),
    position(place, 4),
    place.place_id === undefined ? '' : pbMessage(15, pbMessage(1, pbText(5, place.place_id))),
  )
  const pb = named + PLACE_OPTIONS
  return new URL(`/maps/preview/place?${queryString({ ...localeParameters(locale), q: place.title, pb })}`, base)
}

function position({ latitude, longitude }: PlaceUrl, field: number): string {
  if (latitude === undefined || longitude === undefined) return ''
  return pbMessage(field, pbNumber(3, 'd', latitude), pbNumber(4, 'd', longitude))
}

function around({ latitude, longitude }: PlaceUrl): string {
  if (latitude === undefined || longitude === undefined) return ''
  return viewportPb(3, { latitude, longitude, zoom: STREET_ZOOM }, true)
}

function titleOf(href: string): string | undefined {
  const name = /\/maps\/place\/([^/@?]+)\/(?:@|data=)/.exec(href)?.[1]
  const title = name && decode(name.replaceAll('+', ' ')).trim()
  return title || undefined
}

function degrees(text: string | undefined, limit: number): number | undefined {
  const value = Number(text)
  return text !== undefined && Math.abs(value) <= limit ? value : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray % in a name must not hide the ids beside it
  }
}
