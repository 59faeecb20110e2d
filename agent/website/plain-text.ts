const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g

/** A text without characters that show nothing, in the plain form of each (full-width, ligatures). It can get longer. */
export function plainText(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKC')
}
