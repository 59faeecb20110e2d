import { placeKey } from '@placefleet/shared/place-key'
import { parsedJson } from '@placefleet/shared/text'
import { listAt, textAt } from '../answers/values.ts'
import type { PageRequest } from '../session/page-fetch.ts'

/** A request that a page of the site sent, with lower-case names of headers. */
type SentRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

// In the arguments of the request: whose photos, which part of the list, and in it the token of a later page.
const PLACE = 2
const PART = [4, 2] as const
const TOKEN = 2

/** The headers that scripts of the page add. Chromium adds all others. */
const BY_SCRIPT = /^(?:content-type$|x-)/
/** The site accepts such a header only with the request for which its script made it. */
const FOR_ONE_REQUEST = /^x-maps-bg/
/** By how much a page raises the number of each request. */
const NUMBER_STEP = 100_000

/**
 * Reads the request by which a page of the site asked for the photos of its place. Undefined for other requests, and for
 * one that cannot be sent again for another place.
 */
export function readPhotoRequest({ url, headers, body }: SentRequest): PageRequest | undefined {
  const own = Object.entries(headers).filter(([name]) => BY_SCRIPT.test(name))
  if (body === null || own.some(([name]) => FOR_ONE_REQUEST.test(name))) return undefined
  const args = argumentsIn(body)
  if (placeKey(textAt(args, PLACE, 0)) === undefined || listAt(args, ...PART).length <= TOKEN) return undefined
  return { url: new URL(url), headers: Object.fromEntries(own), body }
}

/** Returns the next request of the page: for a page of the photos of this place, the first one without a `token`. */
export function nextPhotoRequest(
  { url, headers = {}, body = '' }: PageRequest,
  key: string,
  token?: string,
): PageRequest {
  const args = replaced(replaced(argumentsIn(body), [PLACE], [key]), [...PART, TOKEN], token ?? null)
  const form = new URLSearchParams(body)
  form.set('f.req', JSON.stringify(replaced(parsedJson(form.get('f.req') ?? ''), [0, 0, 1], JSON.stringify(args))))
  const next = new URL(url)
  next.searchParams.set('_reqid', String(Number(next.searchParams.get('_reqid')) + NUMBER_STEP))
  return { url: next, headers, body: form.toString() }
}

/** Returns the arguments of a batchexecute request: `f.req` is `[[[<procedure>, <arguments as JSON>, …]]]`. */
function argumentsIn(body: string): unknown {
  return parsedJson(textAt(parsedJson(new URLSearchParams(body).get('f.req') ?? ''), 0, 0, 1) ?? '')
}

/** Returns a copy of a list of lists with another value at the path. */
function replaced(list: unknown, [index, ...inner]: readonly number[], value: unknown): unknown {
  if (index === undefined) return value
  return Array.isArray(list) ? list.with(index, replaced(list[index], inner, value)) : list
}
