import type { Page } from 'playwright'

/** Presses the first button that matches, once there is one. False when there is none in time. */
export async function press(page: Page, selector: string, timeoutMs: number): Promise<boolean> {
  const button = page.locator(selector).first()
  try {
    await button.click({ timeout: timeoutMs })
    return true
  } catch (error) {
    ifNotTimeout(error)
    return false
  }
}

/** Throws what a page threw, unless it says that time ran out. */
export function ifNotTimeout(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
}

/** Scrolls the last element that matches into view, and every box around it to its end, as a person who wants to see more. */
export async function scrollToLast(page: Page, selector: string): Promise<void> {
  await page.evaluate(`(() => { const last = [...document.querySelectorAll('${selector}')].at(-1); last?.scrollIntoView();
    for (let box = last?.parentElement; box; box = box.parentElement)
      if (box.scrollHeight > box.clientHeight) { box.scrollTop = box.scrollHeight; box.dispatchEvent(new Event('scroll')) } })()`)
}
