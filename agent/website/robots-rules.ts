/** Whether a robots.txt allows its crawler a page. */
export type RobotsRules = (url: URL) => boolean

/** RFC 9309 asks for at least 500 KiB. */
const MAX_CHARACTERS = 512_000

/**
 * Reads the rules for a crawler of this name: those of all groups that name it, else those of the groups for `*`
 * (RFC 9309). A website writes both the rules and the links that are judged, so the work stays linear in each: a pass
 * over the first 500 KiB to read them, and for each rule a pass over the path to judge it. The library robots-parser
 * needs up to their product, and copies every rule for every name of its group.
 */
export function readRobotsRules(text: string, name: string): RobotsRules {
  const [named, forAll]: [Rule[], Rule[]] = [[], []]
  let isNamed = false // by any group
  let group = { isOpen: false, isNamed: false, isForAll: false }
  for (const [key, value] of directivesOf(text)) {
    if (key === 'user-agent') {
      if (!group.isOpen) group = { isOpen: true, isNamed: false, isForAll: false }
      const agent = value.split('/', 1)[0]?.trim().toLowerCase()
      group.isNamed ||= agent === name.toLowerCase()
      group.isForAll ||= agent === '*'
      isNamed ||= group.isNamed
      continue
    }
    group.isOpen = false
    if ((key !== 'allow' && key !== 'disallow') || value === '') continue
    if (!group.isNamed && !group.isForAll) continue
    const rule = ruleOf(value, key === 'allow')
    if (group.isNamed) named.push(rule)
    if (group.isForAll) forAll.push(rule)
  }
  // The longest pattern decides, and of equal ones that which allows.
  const rules = (isNamed ? named : forAll).toSorted((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  return ({ pathname, search }) => {
    const path = inUpperCase(pathname + search)
    return rules.find((rule) => matches(rule, path))?.allow ?? true
  }
}

/** Yields the lines of the form `key: value`, without comments. A line that the limit cuts is left out. */
function* directivesOf(text: string): Generator<[key: string, value: string]> {
  const lines = text.slice(0, MAX_CHARACTERS).split(/\r\n|\r|\n/)
  if (text.length > MAX_CHARACTERS) lines.pop()
  for (const line of lines) {
    const [directive = ''] = line.split('#', 1)
    const colon = directive.indexOf(':')
    if (colon > 0) yield [directive.slice(0, colon).trim().toLowerCase(), directive.slice(colon + 1).trim()]
  }
}

/** A path matches that begins with `start`, then has the `parts` in order, and ends with `end` if there is one. */
type Rule = {
  readonly allow: boolean
  readonly length: number
  /** Whether `start` is the whole path. */
  readonly isExact: boolean
  readonly start: string
  readonly parts: readonly string[]
  readonly end: string | undefined
}

function ruleOf(value: string, allow: boolean): Rule {
  const pattern = inUpperCase(encodeURI(value.toWellFormed()).replaceAll('%25', '%'))
  const isAnchored = pattern.endsWith('$')
  const [start = '', ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split(/\*+/)
  const end = isAnchored ? parts.pop() : undefined
  return { allow, length: pattern.length, isExact: isAnchored && end === undefined, start, parts, end }
}

const inUpperCase = (path: string) => path.replace(/%[0-9a-f]{2}/gi, (encoded) => encoded.toUpperCase())

function matches({ isExact, start, parts, end }: Rule, path: string): boolean {
  if (isExact) return path === start
  if (!path.startsWith(start)) return false
  let at = start.length
  for (const part of parts) {
    const index = path.indexOf(part, at) // the first is as good as a later one
    if (index === -1) return false
    at = index + part.length
  }
  return end === undefined || (path.length - end.length >= at && path.endsWith(end))
}
