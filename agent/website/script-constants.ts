// A script with more is made to grow.
const MAX_REPLACED = 10_000

// A literal that goes on behind (`'in' + …`, `'x'.replace(…)`) is not yet what the name stands for.
const ASSIGNED =
  /(?<![\w$])([a-z_$][\w$]{0,59})\s{0,20}\+?=(?!=)\s{0,20}(?:(["'`])([^"'`\\]{1,100})\2(?!\s{0,40}[+.[(?]))?/gi
const IN_SUM = /(?<=\+\s{0,20})[a-z_$][\w$]{0,59}(?![\w$.[(])|(?<![\w$.])[a-z_$][\w$]{0,59}(?=\s{0,20}\+(?![+=]))/gi
const LITERAL = `["'][^"'\\\\]{0,100}["']`
const JOINED_LIST = new RegExp(
  `\\[\\s{0,20}(${LITERAL}(?:\\s{0,20},\\s{0,20}${LITERAL}){1,9})\\s{0,20}\\]\\s{0,20}\\.join\\(\\s{0,20}["']([^"'\\\\]{0,20})["']\\s{0,20}\\)`,
  'g',
)
const BETWEEN_LITERALS = /["']\s{0,20},\s{0,20}["']/g

/**
 * A script with literals in place of what plainly stands for them: names in sums that are given a literal once and
 * nothing else (`u + '@' + d`), and joined lists of literals (`['info', 'shop.de'].join('@')`).
 */
export function withConstants(script: string): string {
  const constants = constantsIn(script)
  let room = MAX_REPLACED
  const sums = script.replace(IN_SUM, (name) => {
    const value = room > 0 ? constants.get(name) : undefined
    if (value === undefined) return name
    room -= 1
    return `"${value}"`
  })
  return sums.replace(
    JOINED_LIST,
    (_, list: string, glue: string) => `"${list.slice(1, -1).split(BETWEEN_LITERALS).join(glue)}"`,
  )
}

function constantsIn(script: string): ReadonlyMap<string, string | undefined> {
  const constants = new Map<string, string | undefined>()
  for (const [, name = '', , value] of script.matchAll(ASSIGNED)) {
    constants.set(name, constants.has(name) ? undefined : value)
  }
  return constants
}
