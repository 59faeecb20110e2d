import { test } from 'vitest'

/** Returns what a test takes: `few` in `npm test`, `many` in `npm run test:volume`, which the nightly workflow runs. */
export const volume = <Choice>(few: Choice, many: Choice): Choice => (process.env.VOLUME === 'many' ? many : few)

/** Defines a test that only `npm run test:volume` runs, because `npm test` checks its promise in a cheaper way. */
export const secondLook = (name: string, run: () => unknown, timeout?: number): void => {
  if (volume(false, true)) test(name, run, timeout)
}
