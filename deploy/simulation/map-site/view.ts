import { type LocalTime, localTime } from './clock.ts'
import { type Spoken, spokenFor, wordsOf } from './language/choose.ts'
import type { Words } from './language/words.ts'

export const VINTAGES = ['2023', '2026'] as const
/** Which generation of the site is imitated. */
export type Vintage = (typeof VINTAGES)[number]

/** How an answer is worded: language, generation and moment. */
export interface View {
  /** As asked for in `hl`. */
  hl: string
  language: Spoken
  words: Words
  vintage: Vintage
  /** Milliseconds since 1970. */
  now: number
  today: LocalTime
  /** Between "Open" and "Closes 5 pm". */
  separator: string
  layout: Layout
}

/** What may differ between two payloads of one generation. */
export interface Layout {
  /** Where reviews stand in place payloads: `[175][9][0][0]`, or `[175][0][0]`. */
  inlineReviews: 'nine' | 'zero'
  /** Which group of links stands first at `[75][0]`. */
  actionsFirst: 'bookings' | 'orders'
  /** Whether addresses end with the country. */
  withCountry: boolean
}

const USUAL: Layout = { inlineReviews: 'nine', actionsFirst: 'bookings', withCountry: false }

/** The view for an `hl`. */
export function viewOf(hl: string, vintage: Vintage, now: number, layout = USUAL): View {
  const language = spokenFor(hl)
  const separator = vintage === '2023' ? '\u22c5' : '\u00b7'
  return { hl, language, words: wordsOf(language), vintage, now, today: localTime(now), separator, layout }
}

const DAY_MS = 86_400_000

/** "2 months ago", from microseconds since 1970. */
export function agoWords(micros: number, view: View): string {
  const days = Math.max(1, Math.floor((view.now - micros / 1000) / DAY_MS))
  if (days < 7) return view.words.ago(days, 'day')
  if (days < 30) return view.words.ago(Math.floor(days / 7), 'week')
  return days < 365 ? view.words.ago(Math.floor(days / 30), 'month') : view.words.ago(Math.floor(days / 365), 'year')
}
