import type { Logger } from '@placefleet/shared/log'
import { z } from 'zod'
import { openNetwork } from '../collect/network.ts'
import { createGuard } from '../egress/guard.ts'

const Description = z.object({
  user_agent: z.string(),
  webdriver: z.boolean().nullish(),
  languages: z.array(z.string()),
  time_zone: z.string(),
})
const Descriptions = z.object({ page: Description, frame: Description, worker: Description })

/** What Chromium says of itself to the scripts of a page, of a frame in it, and of a worker. They should agree. */
export type SelfDescriptions = z.infer<typeof Descriptions>

const WITHIN_MS = 20_000

const DESCRIBE = `({ user_agent: navigator.userAgent, webdriver: navigator.webdriver, languages: [...navigator.languages],
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone })`
const DESCRIBE_ALL = `(async () => {
  const frame = document.body.appendChild(document.createElement('iframe'))
  const inWorker = new Blob([${JSON.stringify(`postMessage(${DESCRIBE})`)}], { type: 'text/javascript' })
  const worker = new Worker(URL.createObjectURL(inWorker))
  const said = await new Promise((resolve, reject) => { worker.onmessage = ({ data }) => resolve(data); worker.onerror = reject })
  return { page: ${DESCRIBE}, frame: frame.contentWindow.eval(${JSON.stringify(DESCRIBE)}), worker: said }
})()`

/**
 * Opens a page as the agent does, without a request to anyone, and asks it. Throws BrowserFailed or Playwright's error.
 */
export async function selfDescriptions(sandbox: boolean, log: Logger): Promise<SelfDescriptions> {
  const guard = createGuard(new Set(), 'http://127.0.0.1:9')
  const { egress, browsers } = await openNetwork(guard, { log, sandbox, onStart: () => undefined })
  const { signal } = new AbortController()
  try {
    const session = await browsers.open(egress.grant('direct'), 'en', signal)
    const descriptions = await session.withPage((page) => page.evaluate(DESCRIBE_ALL), { timeoutMs: WITHIN_MS, signal })
    await session.close()
    return Descriptions.parse(descriptions)
  } finally {
    await browsers.close()
    await egress.close()
  }
}
