import { request } from 'node:http'
import type { ProxyFailure, ProxyFault } from '@placefleet/shared/proxy-failures'
import { parseProxyUrl } from '@placefleet/shared/proxy-url'
import { abortable } from '@placefleet/shared/timing'
import type { EgressGrant, EgressProxy } from './egress-proxy.ts'

/** As in `PROXY_FAULTS.timeout`. */
const WITHIN_MS = 10_000

/** Asks a user’s proxy for a tunnel, and returns why it gives none: Chromium reports each fault of it alike. */
export async function findProxyFault(
  egress: EgressProxy,
  proxy: string,
  target: URL,
  signal: AbortSignal,
  withinMs = WITHIN_MS,
): Promise<ProxyFailure> {
  const parsed = parseProxyUrl(proxy)
  const hasLogin = parsed.ok && parsed.proxy.username !== undefined
  const grant = egress.grant({ proxy })
  const late = AbortSignal.timeout(withinMs)
  try {
    return failureOf(await abortable(askForTunnel(grant, target), AbortSignal.any([signal, late])), hasLogin)
  } catch {
    signal.throwIfAborted()
    return { fault: late.aborted ? 'timeout' : 'closed' }
  } finally {
    grant.revoke()
  }
}

/** The answer of the egress proxy. For a failed connection, the phrase holds the error's code or its text. */
type TunnelAnswer = { readonly status: number; readonly phrase: string }

function askForTunnel({ server, username, password }: EgressGrant, target: URL): Promise<TunnelAnswer> {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const login = Buffer.from(`${username}:${password}`).toString('base64')
  const path = `${target.hostname}:${port}`
  const headers = { host: path, 'proxy-authorization': `Basic ${login}` }
  return new Promise((resolve, reject) => {
    const connect = request(server, { method: 'CONNECT', path, headers, agent: false })
    connect.on('error', reject)
    connect.on('connect', ({ statusCode = 0, statusMessage = '' }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, phrase: statusMessage })
    })
    connect.end()
  })
}

/** The statuses of the egress proxy, see `egress-proxy.ts` and proxy-chain's `statuses.js`. */
const BY_STATUS = new Map<number, ProxyFault>([
  [200, 'site_silent'],
  [504, 'timeout'],
  [591, 'not_allowed'],
  [593, 'unresolved'],
  [594, 'refused'],
  [595, 'closed'],
  [596, 'closed'],
])

/** Codes of Node and texts of the SOCKS client, which has no codes. */
const BY_PHRASE: readonly [RegExp, ProxyFault][] = [
  [/CERT|SELF_SIGNED|ISSUER|LEAF/, 'certificate'],
  [/EPROTO|SSL/, 'tls'],
  [/HPE_|invalid socks version|handshake response/i, 'protocol'],
  [/ECONNREFUSED/, 'refused'],
  [/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL/, 'unreachable'],
  [/ETIMEDOUT/, 'timeout'],
  [/ECONNRESET|socket closed/i, 'closed'],
  [/rejected connection/i, 'tunnel_refused'],
]

const UPSTREAM_STATUS = /^UPSTREAM(\d{3})$/
const NO_ACCEPTED_LOGIN = /no accepted authentication/i

/** Interprets the answer to a request for a tunnel. `hasLogin`: the proxy's URL has a user. */
export function failureOf({ status, phrase }: TunnelAnswer, hasLogin: boolean): ProxyFailure {
  const [, upstream] = UPSTREAM_STATUS.exec(phrase) ?? []
  const answered = upstream === undefined ? {} : { status: Number(upstream) }
  if (status === 597 || NO_ACCEPTED_LOGIN.test(phrase)) {
    return { fault: hasLogin ? 'login_refused' : 'login_required', ...answered }
  }
  if (upstream !== undefined) return { fault: 'tunnel_refused', ...answered }
  const byPhrase = BY_PHRASE.find(([pattern]) => pattern.test(phrase))?.[1]
  return { fault: BY_STATUS.get(status) ?? byPhrase ?? 'unknown' }
}
