/**
 * Returns the lines of a text, up to the last one that is not empty, so that a message of the API can name one. URLs
 * that stand in one line are taken apart.
 */
export const linesOf = (text: string): string[] =>
  text.trim() === '' ? [] : text.trimEnd().split(/\r?\n|[ \t]+(?=[a-z0-9]+:\/\/)/i)
