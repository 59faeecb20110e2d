import { matchesHost } from './host-name.ts'
import { type PathRule, RULES } from './rules.ts'

/**
 * Finds the first path rule that matches a URL (README step 7), for hosts that are a platform only on some paths, such as
 * `amazon.*` with `/stores`. Pass `host` without `www.`. Paths match whole segments, in any case.
 */
export function pathRule(host: string, pathname: string): PathRule | undefined {
  const segments = segmentsOf(pathname)
  return RULES.paths.find((rule) => hitsHost(host, rule) && startsWith(segments, segmentsOf(rule.path)))
}

function hitsHost(host: string, rule: PathRule): boolean {
  return rule.exact ? host === rule.host : matchesHost(host, rule.host)
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
}

function startsWith(segments: readonly string[], start: readonly string[]): boolean {
  return start.every((segment, index) => segments[index] === segment)
}
