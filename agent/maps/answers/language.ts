const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

/** Returns a text that is a language tag of BCP 47, such as `pt-BR`. Undefined for another text. */
export const languageTag = (text: string | undefined): string | undefined =>
  text !== undefined && TAG.test(text) ? text : undefined
