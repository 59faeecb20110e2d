import axe from 'axe-core'
import type { Page } from 'playwright'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }

/** The looks in an order that changes one thing at a time, and ends with that of a new tab. */
const LOOKS = [
  { look: 'light at 360 px', colorScheme: 'light', viewport: NARROW },
  { look: 'dark at 360 px', colorScheme: 'dark', viewport: NARROW },
  { look: 'dark and wide', colorScheme: 'dark', viewport: WIDE },
  { look: 'light and wide', colorScheme: 'light', viewport: WIDE },
] as const

/** The rules of axe that depend on colours. A dark page differs from a light one in nothing else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Returns what is wrong with a page in light and dark, wide and at 360 px. The page is not loaded again. */
export async function faultsInEachLook(page: Page): Promise<string[]> {
  // The pages of one tab share a window: axe, which is large, is loaded into it once.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const faults: string[] = []
  for (const { look, colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
    await page.setViewportSize(viewport)
    const found = await faultsOf(page, colorScheme === 'light' ? undefined : COLOR_RULES)
    faults.push(...found.map((fault) => `${look}: ${fault}`))
  }
  return faults
}

/** What axe finds by these rules (default: all), by how much the page is too wide, and how many parts move. */
async function faultsOf(page: Page, rules: string[] | undefined): Promise<string[]> {
  const moving = Number(await page.evaluate('document.getAnimations().length'))
  const wider = await page.evaluate<number>(TOO_WIDE)
  return [
    ...(await page.evaluate<string[]>(runAxe(rules))),
    ...(wider > 0 ? [`${wider} px too wide`] : []),
    ...(moving > 0 ? [`${moving} parts move`] : []),
  ]
}

/** Measures by how much the page is wider than the window. A chart follows the window a moment later. */
const TOO_WIDE = `
  new Promise((resolve) => {
    const begun = performance.now()
    const look = () => {
      const wider = document.documentElement.scrollWidth - innerWidth
      if (wider > 0 && performance.now() - begun < 5_000) requestAnimationFrame(look)
      else resolve(wider)
    }
    look()
  })`

/** Describes each rule that is broken, with the first elements that break it. Nothing is read again over the network. */
const runAxe = (runOnly: string[] | undefined): string => `
  axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })}).then(({ violations }) =>
    violations.map(({ id, nodes }) =>
      id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ').slice(0, 900)))`
