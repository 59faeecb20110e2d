/** Language of all texts (`hl`) and country (`gl`: order of results, form of phones and addresses). Without a country the site uses the client's address. */
export interface Locale {
  readonly language: string
  readonly country?: string | undefined
}

/** The parameters of every request to the site. */
export function localeParameters({ language, country }: Locale): Record<string, string | undefined> {
  return { authuser: '0', hl: language, gl: country }
}

/**
 * A query string. `!` stays as it is, also inside `pb`: some endpoints of the site refuse `%21`, which `URLSearchParams`
 * would write.
 */
export function queryString(parameters: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(value)}`]))
    .join('&')
}

/** A query in a path or after `q=`. Spaces become `+`, as on the site. */
export const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')
