/** Why a proxy does not work, in the words of `failure_reason`. None contains `:`, `;` or a bracket. */
export const PROXY_FAULTS = {
  login_required: 'requires a user and password',
  login_refused: 'refused the user and password',
  refused: 'connection refused',
  closed: 'closed the connection',
  unreachable: 'its address cannot be reached',
  unresolved: 'its host name could not be resolved',
  not_allowed: 'its address is in a private or reserved network',
  timeout: 'no answer within 10 s',
  certificate: 'its TLS certificate is not valid',
  tls: 'does not answer with TLS',
  protocol: 'does not answer like a proxy of this scheme',
  tunnel_refused: 'refuses to connect to the map site',
  site_silent: 'connects, but the map site does not answer through it',
  unknown: 'failed for an unknown reason',
} as const
export type ProxyFault = keyof typeof PROXY_FAULTS

/** `status`: the HTTP status with which the proxy refused. */
export type ProxyFailure = { readonly fault: ProxyFault; readonly status?: number | undefined }

/** One reason, and the proxies that it applies to, e.g. `1, 4`. */
type FailedProxies = ProxyFailure & { readonly proxies: string }

const FAULTS = Object.keys(PROXY_FAULTS).filter((fault): fault is ProxyFault => fault in PROXY_FAULTS)

/** Beyond this many proxies with one reason, only their number is given. */
const MOST_LISTED = 10

/**
 * Describes why each proxy of a job failed, in the order of the job's list: `none of the 3 proxies works:
 * proxies 1, 3: connection refused; proxy 2: refused the user and password (407)`. Proxies count from 1 and are never
 * named.
 */
export function describeProxyFailures(failures: readonly ProxyFailure[]): string {
  const groups = Map.groupBy(failures.keys(), (index) => inWords(failures[index]))
  const reasons = [...groups].map(([words, indexes]) => `${listed(indexes.map((index) => index + 1))}: ${words}`)
  const start = failures.length === 1 ? 'the proxy does not work' : `none of the ${failures.length} proxies works`
  return `${start}: ${reasons.join('; ')}`
}

function inWords({ fault, status }: ProxyFailure = { fault: 'unknown' }): string {
  return status === undefined ? PROXY_FAULTS[fault] : `${PROXY_FAULTS[fault]} (${status})`
}

function listed(numbers: readonly number[]): string {
  if (numbers.length === 1) return `proxy ${numbers[0]}`
  const more = numbers.length - MOST_LISTED
  return `proxies ${numbers.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` +${more}` : ''}`
}

const REASON = /^(?:proxy|proxies) (\d+(?:, \d+)*(?: \+\d+)?): ([^:;()]+?)(?: \((\d{3})\))?$/

/** Reads the reasons back from a `failure_reason`. Returns none for any other text. */
export function readProxyFailures(failure_reason: string): FailedProxies[] {
  const [, text = ''] = /^proxies_failed: [^:]+: (.+)$/.exec(failure_reason) ?? []
  return text.split('; ').flatMap((reason) => {
    const [, proxies = '', words, status] = REASON.exec(reason) ?? []
    const fault = FAULTS.find((name) => PROXY_FAULTS[name] === words)
    return fault ? [{ proxies, fault, ...(status === undefined ? {} : { status: Number(status) }) }] : []
  })
}
