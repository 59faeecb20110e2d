import { type LocalTime, localTime } from './clock.ts'
import { type SiteLanguage, siteLanguage, wordsOf } from './language/choose.ts'
import type { Words } from './language/en.ts'
import type { NodeSize } from './payload/bulk.ts'

/** What an answer depends on: language, current time and layout. */
export interface View {
  /** The value of `hl` in the request. */
  hl: string
  language: SiteLanguage
  words: Words
  /** Milliseconds since 1970. */
  now: number
  today: LocalTime
  layout: Layout
}

/** Differences between payloads. */
export interface Layout {
  /** Whether addresses end with the country. */
  withCountry: boolean
  nodes: NodeSize
}

const USUAL: Layout = { withCountry: false, nodes: 'small' }

/** Returns the view for an `hl`. */
export function viewOf(hl: string, now: number, layout = USUAL): View {
  const language = siteLanguage(hl)
  return { hl, language, words: wordsOf(language), now, today: localTime(now), layout }
}

const DAY_MS = 86_400_000

/** Returns an age like "2 months ago". `micros`: microseconds since 1970. */
export function agoWords(micros: number, view: View): string {
  const days = Math.max(1, Math.floor((view.now - micros / 1000) / DAY_MS))
  if (days < 7) return view.words.ago(days, 'day')
  if (days < 30) return view.words.ago(Math.floor(days / 7), 'week')
  return days < 365 ? view.words.ago(Math.floor(days / 30), 'month') : view.words.ago(Math.floor(days / 365), 'year')
}
