import type { Place } from '@placefleet/shared/place'
import { fitLine, lineAt } from '../../answers/fit.ts'
import { getAt, integerAt, listAt, positionAt, textAt } from '../../answers/index-path.ts'
import { urlAt } from '../../answers/site-url.ts'
import { cidFromKey, keyFromPlaceId, placeKey } from '../../urls/ids.ts'

const CLOSED = [
  ['CLOSED', 'permanently'],
  ['CLOSED_PERMANENTLY', 'permanently'],
  ['CLOSED_TEMPORARILY', 'temporarily'],
] as const

/** The stable key of a place node: its data id, else what its place id decodes to. */
export function keyOf(node: unknown): string | undefined {
  const key = placeKey(textAt(node, 10)) ?? placeKey(textAt(node, 227, 0, 0))
  const id = textAt(node, 78) ?? textAt(node, 227, 0, 4)
  return key ?? (id === undefined ? undefined : keyFromPlaceId(id))
}

/** Name of a place node: as shown, else in the local language. */
export const titleOf = (node: unknown): string | undefined => lineAt(node, 11) ?? lineAt(node, 101)

/** The knowledge graph's id, `/g/11…` or `/m/0…`. */
export const kgmidOf = (node: unknown): string | undefined => lineAt(node, 89) ?? lineAt(node, 227, 0, 3)

/** The ids of a place, its link (the node's own, else the short form with its data id) and where it is. */
export function readIdentity(node: unknown, key: string): Pick<Place, IdentityField> {
  return {
    data_id: key,
    cid: cidFromKey(key),
    place_id: lineAt(node, 78) ?? lineAt(node, 227, 0, 4),
    link: urlAt(node, 27) ?? placeLink(key),
    ...readCategories(node),
    // The pin's position is a copy.
    ...(positionAt(getAt(node, 9)) ?? positionAt(getAt(node, 208, 0))),
    timezone: lineAt(node, 30),
  }
}
type IdentityField =
  | 'data_id'
  | 'cid'
  | 'place_id'
  | 'link'
  | 'category'
  | 'categories'
  | 'latitude'
  | 'longitude'
  | 'timezone'

/** The public address of a place when the site gives none, in the form its payloads have (without the name). */
export const placeLink = (key: string): string => `https://www.google.com/maps/place/data=!4m2!3m1!1s${key}!10m1!1e1`

/**
 * Whether a place is closed for good or for a time. By code only: on open places the same member holds an attribute in
 * words.
 */
export function closedOf(node: unknown): 'permanently' | 'temporarily' | undefined {
  const code = textAt(node, 88, 0)
  const [, closed] = CLOSED.find(([name]) => name === code) ?? []
  return closed ?? (integerAt(node, 23) === 1 ? 'permanently' : undefined)
}

function readCategories(node: unknown): Pick<Place, 'category' | 'categories'> {
  const names = listAt(node, 13).map((name) => (typeof name === 'string' ? fitLine(name) : undefined))
  const categories = [...new Set(names.filter((name) => name !== undefined))].slice(0, 100)
  return categories.length > 0 ? { category: categories[0], categories } : {}
}
