import { canFail, type Logger } from '@placefleet/shared/log'
import type { BrowserContext, Page } from 'playwright'

/**
 * What a page may not load: pictures, fonts, media and styles are most of its bytes and none of its data. By address,
 * because that is the only way that costs nothing; the map site's pictures have no extension, so their hosts and tile
 * path stand here as well.
 */
const BLOCKED = [
  ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'svg', 'woff', 'woff2', 'ttf', 'otf', 'css'],
  ...['mp4', 'webm', 'mp3', 'm4a', 'ogg', 'pdf', 'zip'],
].flatMap((extension) => [`*.${extension}`, `*.${extension}?*`])
const BLOCKED_HOSTS = ['*://*.googleusercontent.com/*', '*://*.ggpht.com/*', '*://streetviewpixels-pa.googleapis.com/*']
const BLOCKED_PATHS = ['*/maps/vt?*', '*/maps/vt/*', '*/gen_204?*']

/**
 * Opens a page that loads no decoration, answers its dialogs with "no" and closes its popups. Also ends what a hung
 * script would do to us: a page that crashed is closed at once, so that nobody waits for it.
 */
export async function openPage(context: BrowserContext, log: Logger): Promise<Page> {
  const page = await context.newPage()
  page.on('dialog', (dialog) => void canFail(log, 'dismissing a dialog', dialog.dismiss()))
  page.on('popup', (popup) => void canFail(log, 'closing a popup', popup.close()))
  page.on('crash', () => void canFail(log, 'closing a crashed page', page.close()))
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBlockedURLs', { urls: [...BLOCKED, ...BLOCKED_HOSTS, ...BLOCKED_PATHS] })
  return page
}
