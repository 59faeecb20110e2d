import { chromiumOnPath } from '@placefleet/agent/browser/find-chromium'
import { describe } from 'vitest'
import { unlessLacking } from './needs.ts'
import { volume } from './volume.ts'

/**
 * Returns the environment in which the agent finds the Chromium of nearly all tests: that of CHROMIUM_PATH, of
 * Playwright or of the npm package. So what else is on this machine's PATH changes no test.
 */
export const ownChromium = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: '' })

/**
 * Defines tests of what Chromium itself does: once with the Chromium of all tests, in `npm run test:volume` once more with
 * the one on the PATH, such as Debian's, which the agent's image has. Without one there, those tests are reported as skipped.
 * @param define gets the environment in which the agent finds that Chromium.
 */
export async function describeEachChromium(define: (env: NodeJS.ProcessEnv) => void): Promise<void> {
  describe('with the Chromium of all tests', () => define(ownChromium()))
  if (volume('own', 'each') === 'own') return
  const onPath = await chromiumOnPath(process.env)
  unlessLacking('a Chromium on the PATH', onPath !== undefined).describe(`with ${onPath ?? "the PATH's"}`, () =>
    define({ ...process.env, CHROMIUM_PATH: onPath ?? '' }),
  )
}
