// The site's `pb` parameter is a protocol buffer written as text: `!<field><type><value>` for each field, and for a
// message `!<field>m<K>`, where K tokens follow that belong to it, those of inner messages counted too.

/** A text field. `!` and `*` inside are written as the site writes them, so that they end no field. */
export function pbText(field: number, value: string): string {
  return `!${field}s${value.replaceAll('*', '*2A').replaceAll('!', '*21')}`
}

/** A field of another type: `d` double, `f` float, `i` int, `e` enum, `b` bool. */
export function pbNumber(field: number, type: 'd' | 'f' | 'i' | 'e' | 'b', value: number): string {
  return `!${field}${type}${plainNumber(value)}`
}

/** Bytes of UTF-8 text as base64 without padding (type `z`). */
export function pbBase64(field: number, text: string): string {
  return `!${field}z${Buffer.from(text, 'utf8').toString('base64').replaceAll('=', '')}`
}

/** A message of these fields. Its count is right by construction: a wrong one is answered with 400. */
export function pbMessage(field: number, ...fields: readonly string[]): string {
  const inside = fields.join('')
  return `!${field}m${inside.split('!').length - 1}${inside}`
}

/** A number without exponent: the site reads `1e-7` as an enum. */
export function plainNumber(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text
}
