/** Language of all texts (`hl`) and country bias (`gl`: order, form of phones and addresses); without it the IP decides. */
export interface Locale {
  readonly language: string
  readonly country?: string | undefined
}

/** The parameters every request of the site carries. */
export function localeParameters({ language, country }: Locale): Record<string, string | undefined> {
  return { authuser: '0', hl: language, gl: country }
}
