import type { CompleteAddress, Link, Place } from '@placefleet/shared/place'
import { internationalNumber } from '../../answers/phone-number.ts'
import {
  filled,
  filledFields,
  fitLine,
  getAt,
  integerAt,
  lineAt,
  listAt,
  omitUndefined,
  readEach,
  readWebsiteUrl,
  textAt,
  urlAt,
} from '../../answers/values.ts'

export function readContact(node: unknown, title: string): Partial<Place> {
  const address = lineAt(node, 39) ?? addressAfterTitle(lineAt(node, 18), title) ?? addressLines(node)
  const local = lineAt(node, 149)
  return {
    address,
    local_address: local === address ? undefined : local,
    complete_address: readAddressParts(node),
    plus_code: lineAt(node, 183, 2, 2, 0) ?? lineAt(node, 183, 2, 1, 0),
    ...readPhone(node),
    website: readWebsiteUrl(textAt(node, 7, 0)),
  }
}

const INTERNATIONAL = 2

// [178][0][1] lists the number's forms: [text, 1 = national or 2 = international].
function readPhone(node: unknown): Partial<Place> {
  const phone = lineAt(node, 178, 0, 0) ?? lineAt(node, 178, 0, 1, 0, 0) ?? lineAt(node, 178, 0, 3)
  if (phone === undefined) return {}
  const country = countryCode(lineAt(node, 183, 1, 6)) ?? countryCode(lineAt(node, 243))
  const international = listAt(node, 178, 0, 1).find((form) => integerAt(form, 1) === INTERNATIONAL)
  return { phone, phone_e164: internationalNumber(lineAt(international, 0) ?? phone, country) }
}

// "Kipriakon, Old port, Limassol": usually the name comes first. A plus code may come before it.
function addressAfterTitle(text: string | undefined, title: string): string | undefined {
  if (text === undefined || text === title) return undefined
  return fitLine(text.startsWith(`${title},`) ? text.slice(title.length + 1) : text)
}

function addressLines(node: unknown): string | undefined {
  const lines = listAt(node, 2).filter((line) => typeof line === 'string' && line.trim() !== '')
  return fitLine(lines.join(', '))
}

// [borough, street, street again, city, postal code, state, country]. Older payloads have the first six at [82].
function readAddressParts(node: unknown): CompleteAddress | undefined {
  const parts = listAt(node, 183, 1)
  const older = parts.length === 0
  const source = older ? getAt(node, 82) : parts
  const address = filledFields({
    borough: lineAt(source, 0),
    street: lineAt(source, 1),
    city: lineAt(source, 3),
    postal_code: lineAt(source, 4),
    state: lineAt(source, 5),
    country: countryCode(lineAt(source, 6)),
  })
  if (address === undefined || !older) return address
  return filledFields({ ...address, country: countryCode(lineAt(node, 243)) })
}

const countryCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Z]{2}$/i.test(text) ? text.toUpperCase() : undefined

const MAX_LINKS = 100
const GROUP = { reservation: 1, appointment: 3, order: 4 } as const

export function readLinks(node: unknown): Partial<Place> {
  const reservations = readEach(listAt(node, 46), plainLink)
  return {
    reservations: filled(reservations.length > 0 ? reservations : groupLinks(node, GROUP.reservation), MAX_LINKS),
    booking_links: filled(groupLinks(node, GROUP.appointment), MAX_LINKS),
    order_online: filled(groupLinks(node, GROUP.order), MAX_LINKS),
    menu: plainLink(getAt(node, 38)),
  }
}

// [link, host, …]
function plainLink(entry: unknown): Link | undefined {
  const link = urlAt(entry, 0)
  return link === undefined ? undefined : omitUndefined({ link, source: lineAt(entry, 1) })
}

// The type of a group decides, because its position varies: reservations may be where other places have orders.
function groupLinks(node: unknown, type: number): Link[] {
  const groups = listAt(node, 75, 0).filter((group) => integerAt(group, 0) === type)
  const items = groups.flatMap((group) => listAt(group, 2))
  return readEach(items, (item) => {
    const link = urlAt(item, 1, 2, 0)
    return link === undefined ? undefined : omitUndefined({ link, source: lineAt(item, 0, 0) })
  })
}
