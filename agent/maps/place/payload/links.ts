import type { Link, Place } from '@placefleet/shared/place'
import { filled, lineAt, omitUndefined } from '../../answers/fit.ts'
import { getAt, integerAt, listAt } from '../../answers/index-path.ts'
import { urlAt } from '../../answers/site-url.ts'

const MAX_LINKS = 100
const GROUP = { reservation: 1, order: 4 } as const

/** Where to reserve a table, order food and see the menu. */
export function readLinks(node: unknown): Pick<Place, 'reservations' | 'order_online' | 'menu'> {
  const reservations = listAt(node, 46)
    .map((entry) => plainLink(entry))
    .filter((link) => link !== undefined)
  return {
    reservations: filled(reservations.length > 0 ? reservations : groupLinks(node, GROUP.reservation), MAX_LINKS),
    order_online: filled(groupLinks(node, GROUP.order), MAX_LINKS),
    menu: plainLink(getAt(node, 38)),
  }
}

// [link, host, …]
function plainLink(entry: unknown): Link | undefined {
  const link = urlAt(entry, 0)
  return link === undefined ? undefined : omitUndefined({ link, source: lineAt(entry, 1) })
}

// The position of a group says nothing, its type does: a reservation group can stand where others have the orders.
function groupLinks(node: unknown, type: number): Link[] {
  const groups = listAt(node, 75, 0).filter((group) => integerAt(group, 0) === type)
  const links = groups
    .flatMap((group) => listAt(group, 2))
    .map((item) => {
      const link = urlAt(item, 1, 2, 0)
      return link === undefined ? undefined : omitUndefined({ link, source: lineAt(item, 0, 0) })
    })
  return links.filter((link) => link !== undefined)
}
