import type { CompleteAddress, Place } from '@placefleet/shared/place'
import { filledFields, fitLine, lineAt } from '../../answers/fit.ts'
import { getAt, listAt, textAt } from '../../answers/index-path.ts'
import { readWebsiteUrl } from '../../answers/site-url.ts'

/** Address in words and parts, plus code, phone, website. */
export function readContact(node: unknown, title: string): Pick<Place, ContactField> {
  return {
    address: lineAt(node, 39) ?? addressAfterTitle(lineAt(node, 18), title) ?? addressLines(node),
    complete_address: readAddressParts(node),
    plus_code: lineAt(node, 183, 2, 2, 0) ?? lineAt(node, 183, 2, 1, 0),
    phone: lineAt(node, 178, 0, 0) ?? lineAt(node, 178, 0, 1, 0, 0) ?? lineAt(node, 178, 0, 3),
    website: readWebsiteUrl(textAt(node, 7, 0)),
  }
}
type ContactField = 'address' | 'complete_address' | 'plus_code' | 'phone' | 'website'

// "Kipriakon, Old port, Limassol": the name leads, though not always; a plus code can stand before it.
function addressAfterTitle(text: string | undefined, title: string): string | undefined {
  if (text === undefined || text === title) return undefined
  return fitLine(text.startsWith(`${title},`) ? text.slice(title.length + 1) : text)
}

function addressLines(node: unknown): string | undefined {
  const lines = listAt(node, 2).filter((line) => typeof line === 'string' && line.trim() !== '')
  return fitLine(lines.join(', '))
}

// [borough, street, street again, city, postal code, state, country]; [82] is an older copy of the first four.
function readAddressParts(node: unknown): CompleteAddress | undefined {
  const parts = listAt(node, 183, 1)
  const older = parts.length === 0
  const source = older ? getAt(node, 82) : parts
  const found = filledFields({
    borough: lineAt(source, 0),
    street: lineAt(source, 1),
    city: lineAt(source, 3),
    postal_code: lineAt(source, 4),
    state: lineAt(source, 5),
    country: countryCode(lineAt(source, 6)),
  })
  if (found === undefined || !older) return found
  return filledFields({ ...found, country: countryCode(lineAt(node, 243)) })
}

const countryCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Z]{2}$/i.test(text) ? text.toUpperCase() : undefined
