import type { Page } from 'playwright'
import { type OpenTab, startBrowser, type TabOptions, tabsFor } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { type NewUser, newUsers } from './user.ts'

/** The product, and a Chromium in front of it, for one file of tests. */
export type RunningConsole = Product & {
  /** Opens a tab in which nobody is signed in. */
  openTab: OpenTab
  newUser: NewUser<Page, TabOptions>
}

/** Starts the product and one Chromium, until the end of the file. */
export async function startConsole(): Promise<RunningConsole> {
  const product = await startProduct()
  const openTab = await startBrowser(product.url)
  return { ...product, openTab, newUser: newUsers({ ...product, openTab: tabsFor(openTab) }) }
}
