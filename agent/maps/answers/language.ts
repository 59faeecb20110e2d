const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

export const languageTag = (text: string | undefined): string | undefined =>
  text !== undefined && TAG.test(text) ? text : undefined
