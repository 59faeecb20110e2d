import type { Page } from 'playwright'

/** Presses the first button that matches, once there is one. False when there is none in time. */
export async function press(page: Page, selector: string, timeoutMs: number): Promise<boolean> {
  const button = page.locator(selector).first()
  try {
    await button.click({ timeout: timeoutMs })
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return false
    throw error
  }
}
