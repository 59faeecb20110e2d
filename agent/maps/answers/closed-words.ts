import type { Place } from '@placefleet/shared/place'

type Closure = NonNullable<Place['closed']>

// The word that tells how a place is closed, in the languages of jobs.
const TEMPORARILY =
  /tempor|vorübergehend|provis|tijdelijk|tymczasowo|czasowo|dočasn|tillfälligt|midlertidig|väliaikaisesti|tilapäisesti|ajutiselt|īslaicīgi|uz laiku|laikinai|ideiglenes|átmenetileg|privremeno|začasno|временно|тимчасово|προσωρινά|geçici|sementara|tạm|ชั่วคราว|臨時(?!営業)|临时|暫|暂|一時|임시|일시|مؤقت|זמני/i
const PERMANENTLY =
  /perman|dauerhaft|endgültig|définitiv|definiti|na stałe|trwale|trvale|natrvalo|pysyvästi|lopullisesti|jäädavalt|püsivalt|neatgriezeniski|pavisam|visam laikui|végleg|trajno|за постоянно|навсегда|назавжди|постійно|остаточно|окончателно|οριστικά|μόνιμα|kalıcı|kekal|selama-?lamanya|vĩnh viễn|ถาวร|永久|閉業|廃業|歇業|歇业|폐업|영구|نهائي|دائم|לצמיתות/i

/**
 * Returns how a place is closed by its status in words: "Permanently closed", "Vorübergehend geschlossen". Only the
 * words before a separator count ("Closed ⋅ Opens 8 am").
 */
function closedInWords(status: string | undefined): Closure | undefined {
  const [state = ''] = status?.split(/[⋅·]/) ?? []
  if (TEMPORARILY.test(state)) return 'temporarily'
  return PERMANENTLY.test(state) ? 'permanently' : undefined
}

const STATUS = { permanently: 'Permanently closed', temporarily: 'Temporarily closed' } as const

/**
 * Returns `closed` and `status` so that they agree. `closed` is what a code says; the words of the status count only
 * without one, and a status that says something else gives way to English words.
 */
export function agreeing(closed: Closure | undefined, status: string | undefined): Partial<Place> {
  const inWords = closedInWords(status)
  if (closed === undefined || closed === inWords) return { closed: inWords, status }
  return { closed, status: STATUS[closed] }
}
