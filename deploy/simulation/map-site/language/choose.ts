import { german } from './de.ts'
import { english, type Words } from './en.ts'

export const SITE_LANGUAGES = ['en', 'de'] as const
export type SiteLanguage = (typeof SITE_LANGUAGES)[number]

const DICTIONARY: Record<SiteLanguage, Words> = { en: english, de: german }

/** Returns the language of the answer for an `hl` such as "de", "en-US" or "ja". Unsupported languages get English. */
export function siteLanguage(hl: string): SiteLanguage {
  const language = hl.slice(0, 2).toLowerCase()
  return SITE_LANGUAGES.find((code) => code === language) ?? 'en'
}

/** Returns the texts of a language. */
export const wordsOf = (language: SiteLanguage): Words => DICTIONARY[language]
