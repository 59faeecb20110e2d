import { asciiDigits } from '@placefleet/shared/text'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'
import { plainText } from './plain-text.ts'

const MAX_PHONES = 20
const MAX_TEXT = 200
const PHONE = /^\+?[\d\s()./\-–]{3,40}$/
const HYPHENS = /[\u2010\u2012\u2212]/g
// Arabic, Persian, Devanagari and Thai.
const OTHER_ZEROS = [0x660, 0x6f0, 0x966, 0xe50]

/**
 * The telephone numbers among the texts as written, but in ASCII digits. Each number once, however it is written:
 * `country` (ISO-2) tells that `030 123456` and `+49 30 123456` are the same.
 */
export function distinctPhones(texts: readonly string[], country?: string): string[] {
  const found = new Map<string, string>()
  for (const text of texts) {
    const phone = plainPhone(text)
    const digits = phone.replace(/\D/g, '').replace(/^00/, '')
    if (!PHONE.test(phone) || digits.length < 3 || digits.length > 15) continue
    const key = internationalForm(phone, country) ?? (/^(?:\+|00)/.test(phone) ? `+${digits}` : digits)
    if (!found.has(key)) found.set(key, phone)
    if (found.size === MAX_PHONES) break
  }
  return [...found.values()]
}

function internationalForm(phone: string, country: string | undefined): string | undefined {
  const known = country !== undefined && isSupportedCountry(country) ? country : undefined
  return parsePhoneNumberFromString(phone, known)?.number
}

function plainPhone(text: string): string {
  const [number = ''] = plainText(text.slice(0, MAX_TEXT)).split(/[;?,]/, 1)
  return asciiDigits(number, OTHER_ZEROS).replace(HYPHENS, '-').replace(/\s+/g, ' ').trim()
}
