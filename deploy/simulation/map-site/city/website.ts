import { chance } from '../random.ts'
import { plainName } from './names.ts'
import { ownHostOf } from './web-address.ts'

/** The ways business websites write (or hide) their email address. */
export const EMAIL_METHODS = [
  'mailto',
  'at-in-words',
  'cfemail',
  'json-ld',
  'script',
  'contact-page',
  'imprint-page',
  'two-pages',
  'none',
] as const
export type EmailMethod = (typeof EMAIL_METHODS)[number]

/** A place's own website: how it shows its email address, and the contacts that a correct visit finds. */
export type Website = ReturnType<typeof websiteOf>

const SITE_SALT = 121

/** Returns the website of place number `index`, which must have tier `has`. */
export function websiteOf(seed: number, index: number) {
  const dice = chance(seed, index, SITE_SALT)
  const host = ownHostOf(seed, index)
  const domain = host.slice('www.'.length)
  const name = plainName(seed, index).toLowerCase()
  const method = dice.pick(EMAIL_METHODS)
  const user = dice.pickText(`info|kontakt|hello|office|${name}`)
  const first = dice.happens(0.15) ? `${name}.${index}@gmail.com` : `${user}@${domain}`
  const emails = method === 'none' ? [] : method === 'two-pages' ? [first, `jobs@${domain}`] : [first]
  const language = dice.pick(['en', 'de', 'fr'] as const)
  const profiles: Record<string, string> = {
    instagram: `https://www.instagram.com/${name}.${index}/`,
    facebook: `https://www.facebook.com/${name}${index}`,
  }
  const socialLinks = dice.happens(0.4) ? profiles : {}
  const phone = dice.happens(0.6) ? `+49 30 ${dice.between(2_000_000, 9_999_999)}` : undefined
  return { host, language, method, emails: emails.sort(), socialLinks, phone }
}
