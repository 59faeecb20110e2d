import { scriptHeader } from './proof.js'

const { attest, hl } = window.WIZ_global_data
const GUARD = ")]}'"

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const isRefusal = ({ status, redirected }, text) =>
  status === 429 || redirected || text.includes('captcha-form') || text.includes('/sorry/')

// If the answer is a captcha or consent page instead of a payload, the window opens that page.
function leaveFor(response) {
  if (/(^|\/consent)\/m$/.test(new URL(response.url).pathname)) location.assign(response.url)
  else location.assign(`/sorry/index?continue=${encodeURIComponent(location.href)}&q=EgR_AAAB`)
}

async function ask(address, init) {
  const response = await fetch(address, init)
  const text = await response.text()
  if (text.trimStart().startsWith(GUARD)) return text
  if (isRefusal(response, text)) leaveFor(response)
  throw new Error(`no payload: ${response.status}`)
}

/** Fetches a guarded body. Retries once after a failure. */
export async function fetchBody(address, init = {}) {
  const own = attest || init.method === 'POST' ? scriptHeader : undefined
  const request = own ? { ...init, headers: { ...init.headers, ...own } } : init
  try {
    return await ask(address, request)
  } catch {
    await pause(300)
    return ask(address, request)
  }
}

/** Parses the JSON after the guard. */
export const parseBody = (text) => JSON.parse(text.trimStart().slice(GUARD.length))

let requests = 100_000

/** Calls a service of the site by batchexecute and returns its result. */
export async function callService(rpcids, service, args) {
  requests += 100_000
  const source = encodeURIComponent(location.pathname.slice(0, 12))
  const address = `/maps/_/MapsWizUi/data/batchexecute?rpcids=${rpcids}&source-path=${source}&hl=${hl}&_reqid=${requests}&rt=c`
  const body = new URLSearchParams({
    'f.req': JSON.stringify([[[service, JSON.stringify(args), null, 'generic']]]),
    at: '',
  })
  const text = await fetchBody(address, { method: 'POST', body })
  const chunk = text.split('\n').find((line) => line.startsWith('[["wrb.fr"'))
  return JSON.parse(JSON.parse(chunk)[0][2])
}
