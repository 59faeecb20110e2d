import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import type { Words } from './words.ts'

export const SPOKEN = ['en', 'de', 'fr', 'es'] as const
export type Spoken = (typeof SPOKEN)[number]

const DICTIONARY: Record<Spoken, Words> = { en: english, de: german, fr: french, es: spanish }

/** The language the site answers in for an `hl` such as "de", "en-US" or "ja": its own, or English. */
export function spokenFor(hl: string): Spoken {
  const wanted = hl.slice(0, 2).toLowerCase()
  return SPOKEN.find((code) => code === wanted) ?? 'en'
}

/** The texts of a language. */
export const wordsOf = (language: Spoken): Words => DICTIONARY[language]
