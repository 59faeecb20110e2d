import axe from 'axe-core'

/** What axe can tell only of a page that is drawn. */
const NEEDS_LAYOUT = { 'color-contrast': { enabled: false } }

/** Returns the rules of accessibility that a part of the page breaks, each with its first element. */
export async function brokenRules(part: string): Promise<string[]> {
  const { violations } = await axe.run(part, { resultTypes: ['violations'], preload: false, rules: NEEDS_LAYOUT })
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
