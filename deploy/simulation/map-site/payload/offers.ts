import type { AboutFact } from '../city/about.ts'
import type { NamedLink, PlaceDetails } from '../city/details.ts'
import type { View } from '../view.ts'
import { type Cell, row } from './row.ts'
import { clickId } from './tracking.ts'

const linkCell = ({ link, source }: NamedLink, index: number): Cell => [
  link,
  source,
  null,
  null,
  `,AOvVaw,,${clickId(index, 61)},`,
]

/** Returns `[46]`: reservation links. Some places have only the group at `[75]`. */
export const reservationsCell = (place: PlaceDetails): Cell | undefined =>
  place.reservationsListed && place.reservations.length > 0
    ? place.reservations.map((link) => linkCell(link, place.index))
    : undefined

/** Returns `[38]`: the menu. */
export const menuCell = (place: PlaceDetails): Cell | undefined => place.menu && linkCell(place.menu, place.index)

const nicer = (source: string) => `${source.charAt(0).toUpperCase()}${source.slice(1).split('.')[0]}`

const group = (type: number, code: number, links: NamedLink[], index: number): Cell[] => [
  type,
  null,
  links.map(
    ({ link, source }): Cell => [
      [source, null, ['https://lh3.googleusercontent.com/partner-logo', nicer(source), [80, 80]], 20000202],
      [null, null, [link, [link, null, null, null, `,AOvVaw,,${clickId(index, 62)},`]]],
    ],
  ),
  null,
  code,
]

/** Returns `[75]`: groups of actions. Each has a type; its position has no meaning. */
export function actionsCell(place: PlaceDetails): Cell | undefined {
  const groups = [
    ...(place.reservations.length > 0 ? [group(1, 21631, place.reservations, place.index)] : []),
    ...(place.appointments.length > 0 ? [group(3, 21633, place.appointments, place.index)] : []),
    ...(place.orders.length > 0 ? [group(4, 21634, place.orders, place.index)] : []),
  ]
  return groups.length > 0 ? [groups] : undefined
}

const valueCell = ({ says, label }: AboutFact, view: View): Cell => {
  const words = view.words.about
  if (says.kind === 1) {
    const flag = says.yes ? 1 : 0
    const text = words[says.noLabel ?? label]
    return [1, [[flag, text]], [flag, text, words[label], text]]
  }
  if (says.kind === 2) return [2, null, null, ['/m/free', null, words[says.value], words[says.value]]]
  const brands = says.values.map((brand, nth): Cell => [`/g/11g9h0tjc${nth}`, null, brand, brand])
  return [3, null, null, null, [null, [[brands, null, [1]]]]]
}

const option = (fact: AboutFact, view: View): Cell[] => [
  `/geo/type/establishment_poi/${fact.attribute}`,
  view.words.about[fact.label],
  valueCell(fact, view),
  fact.says.kind === 1 && !fact.says.yes ? 1 : null,
  [1],
  0,
]

/**
 * Returns `[100]`: the facts of the "About" tab by section, and at `[5]` missing features.
 */
export function aboutCell(place: PlaceDetails, view: View): Cell | undefined {
  if (place.about.length === 0) return undefined
  const sections = [...Map.groupBy(place.about, ({ section }) => section)].map(
    ([id, facts]): Cell => [id, view.words.about[id], facts.map((fact) => option(fact, view))],
  )
  const lacking: Cell = [
    [
      'amenities',
      view.words.about.amenities,
      [['/geo/type/establishment_poi/has_sauna', 'Sauna', [1, [[0, '']], [0]], 1, [2], 0]],
    ],
  ]
  return row({
    1: sections,
    3: place.about.slice(0, 2).map((fact) => option(fact, view)),
    5: lacking,
  })
}

/** Returns `[84]`: how busy the place usually is, Sunday first. A closed day has no list. */
export function popularTimesCell(place: PlaceDetails, view: View): Cell | undefined {
  if (!place.busyness) return undefined
  const label = (hour: number) => view.words.time(hour * 60)
  const days = [7, 1, 2, 3, 4, 5, 6].map((weekday): Cell => {
    const hours = place.busyness?.get(weekday)
    return [
      weekday,
      hours
        ? [...hours].map(([hour, percent]) => [hour, percent, '', '', label(hour), null, `${hour - (hour % 3)}`])
        : null,
      0,
    ]
  })
  return [days, view.today.weekday, null, 1, Math.floor(view.today.minutes / 60)]
}
