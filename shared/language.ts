/** The languages that a job may use, in the form of the map site's `hl`. */
export const LANGUAGES = [
  'ar',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'he',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh',
] as const

const englishNames = new Intl.DisplayNames('en', { type: 'language' })

/**
 * What is wrong with the language of a job, as the rest of a sentence: `en-US`, `DE` and `English` name one as well.
 */
export function languageFault({ input }: { input?: unknown }): string | undefined {
  if (typeof input !== 'string') return undefined
  const written = input.trim().toLowerCase()
  const [code] = written.split(/[-_]/)
  const meant = LANGUAGES.find((language) => language === code || englishNames.of(language)?.toLowerCase() === written)
  return meant && `must be one of the codes in the document of the API; did you mean "${meant}"?`
}
