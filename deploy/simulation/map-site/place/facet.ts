import type { Place } from '@placefleet/shared/place'
import type { Members } from '../payload/row.ts'

/** Some fields of a place: where the node of a payload has them, and what a correct collection reports. */
export type Facet = { readonly members: Members; readonly truth: Partial<Place> }

/** Returns a list; undefined when it is empty. */
export const filled = <Member>(list: readonly Member[]): Member[] | undefined =>
  list.length > 0 ? [...list] : undefined
