import { describe, test } from 'vitest'

/**
 * Defines tests that need something which not every machine has. Where it is missing they are skipped, and their names
 * say so: the end of a run lists the needs (runner/report.ts).
 */
export function unlessLacking(need: string, has: boolean) {
  const named = (name: string) => (has ? name : `${name} (needs ${need})`)
  return {
    describe: (name: string, define: () => void) => describe.skipIf(!has)(named(name), define),
    test: (name: string, run: () => unknown, timeout?: number) => test.skipIf(!has)(named(name), run, timeout),
  }
}
