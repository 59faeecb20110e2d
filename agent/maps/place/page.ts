import { pageState, placeOfState, placePayloadOfState } from '../answers/page-state.ts'
import type { PlaceUrl } from '../urls/place-url.ts'
import { preloadUrl } from './preload.ts'

/**
 * What the HTML of a place page holds as data: the payload itself (pages up to 2024), or the page's own request for it
 * (relative to the page's URL), and which place it is.
 */
export interface PlacePage {
  payload?: unknown
  preload_url?: string
  place?: PlaceUrl
}

/** Reads the data of a place page's HTML, without drawing it. Never throws; a page of another kind gives nothing. */
export function parsePlacePage(html: string): PlacePage {
  const state = pageState(html)
  const payload = placePayloadOfState(state)
  const place = placeOfState(state)
  const request = preloadUrl(html, '/maps/preview/place')
  return {
    ...(payload === undefined ? {} : { payload }),
    ...(request === undefined ? {} : { preload_url: request }),
    ...(place === undefined ? {} : { place }),
  }
}
