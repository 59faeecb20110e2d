import axe from 'axe-core'
import type { Page } from 'playwright'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 360, height: 740 }

/** The rules of axe that depend on colours. A dark page differs from a light one in nothing else. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** How a page is looked at: in light and English only, or also in dark and German. */
export type Looks = 'first' | 'all'

/**
 * Returns what is wrong with a page: all rules of axe in light and wide, and whether it fits into 360 px; with `all`
 * looks also the rules of colours in dark, and whether it fits in German. The page is not loaded again, and looks in
 * the end as it did at first.
 * @param part what axe looks at, such as the dialog before a page that it has seen.
 */
export async function faultsInEachLook(page: Page, looks: Looks = 'all', part = 'body'): Promise<string[]> {
  // The pages of one tab share a window: axe, which is large, is loaded into it once.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const faults: string[] = []
  const look = async (name: string, findings: Promise<string[]>) =>
    void faults.push(...(await findings).map((fault) => `${name}: ${fault}`))
  await look('light', page.evaluate<string[]>(runAxe(part)))
  await look('light', movementOf(page))
  if (looks === 'all') {
    await showScheme(page, 'dark')
    await look('dark', page.evaluate<string[]>(runAxe(part, COLOR_RULES)))
    await showScheme(page, 'light')
  }
  await page.setViewportSize(NARROW)
  await look('at 360 px', widthOf(page))
  if (looks === 'all') {
    await chooseLanguage(page, 'de')
    await look('in German at 360 px', widthOf(page))
    await chooseLanguage(page, 'en')
  }
  await page.setViewportSize(WIDE)
  return faults
}

/** Returns the broken rules of colours of a part of a page, in light and dark. */
export async function colorFaults(page: Page, part: string): Promise<string[]> {
  await page.evaluate(axe.source)
  const faults: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    await showScheme(page, scheme)
    faults.push(...(await page.evaluate<string[]>(runAxe(part, COLOR_RULES))).map((fault) => `${scheme}: ${fault}`))
  }
  return faults
}

async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
}

/** Changes the language as a choice in another tab does. */
export async function chooseLanguage(page: Page, language: 'en' | 'de'): Promise<void> {
  const choice = JSON.stringify({ key: 'placefleet-language', newValue: language })
  await page.evaluate(`dispatchEvent(new StorageEvent('storage', ${choice}))`)
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
}

async function movementOf(page: Page): Promise<string[]> {
  const moving = Number(await page.evaluate('document.getAnimations().length'))
  return moving > 0 ? [`${moving} parts move`] : []
}

async function widthOf(page: Page): Promise<string[]> {
  const wider = await page.evaluate<number>(TOO_WIDE)
  const cut = await page.evaluate<string[]>(CUT_LABELS)
  return [...(wider > 0 ? [`${wider} px too wide`] : []), ...cut.map((label) => `the button “${label}” is cut`)]
}

const CUT_LABELS = `
  [...document.querySelectorAll('.mantine-Button-label')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent)`

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

/**
 * Describes each rule that is broken, with the first elements that break it. Nothing is read again over the network.
 */
const runAxe = (part: string, runOnly?: string[]): string => `
  axe.run(${JSON.stringify(part)}, ${JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })})
    .then(({ violations }) =>
      violations.map(({ id, nodes }) =>
        id + ': ' + nodes.slice(0, 3).map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ').slice(0, 900)))`
