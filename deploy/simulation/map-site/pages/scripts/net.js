import { proofHeader } from './proof.js'

const { attest, hl } = window.WIZ_global_data
const GUARD = ")]}'"

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const isRefusal = ({ status, redirected }, text) =>
  status === 429 || redirected || text.includes('captcha-form') || text.includes('/sorry/')

// A captcha or consent page in place of a payload takes the whole window.
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

/** Fetches a guarded body; one failure is tried again. */
export async function fetchBody(address, init = {}) {
  const own = attest || init.method === 'POST' ? proofHeader(new URL(address, location.href).pathname) : undefined
  const request = own ? { ...init, headers: { ...init.headers, ...own } } : init
  try {
    return await ask(address, request)
  } catch {
    await pause(300)
    return ask(address, request)
  }
}

/** The JSON after the guard. */
export const parseBody = (text) => JSON.parse(text.trimStart().slice(GUARD.length))

let requests = 100_000

/** Calls a service of the site by batchexecute and gives its result. */
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
