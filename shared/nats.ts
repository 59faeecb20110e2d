import { reasonOf } from './command-line.ts'
import { readCertificates } from './tls-files.ts'

// The names of all subjects, streams and consumers.

/**
 * MongoDB is the queue; NATS notifies agents that a task is ready. A message contains only the task's id. Each task has
 * a subject of its own, because the stream keeps one message a subject.
 */
export const TASK_STREAM = 'PLACEFLEET_TASKS'
export const TASK_SUBJECTS = 'placefleet.tasks.*'
export const taskSubject = (task_id: string): string => `placefleet.tasks.${task_id}`
export const TASK_CONSUMER = 'agents'

/** Notifies every coordinator that a job has ended. Core NATS: a sweep makes up for a missed message. */
export const CONTROL_JOB_ENDED = 'placefleet.control.job-ended'

/**
 * Notifies every coordinator that a webhook delivery is due. Core NATS: polling makes up for a missed message within a
 * second.
 */
export const DELIVERY_DUE = 'placefleet.control.delivery-due'

/** The prefix of agents' inboxes. One agent's are below `<prefix>.<name>.<agent_id>`. */
export const AGENT_INBOXES = '_INBOX_AGENTS'

/**
 * The permissions of the NATS user for agents: pull messages of the task consumer, acknowledge them, receive answers.
 * In the form of a NATS server's configuration.
 */
export const AGENT_PERMISSIONS = {
  publish: [
    `$JS.API.CONSUMER.INFO.${TASK_STREAM}.${TASK_CONSUMER}`,
    `$JS.API.CONSUMER.MSG.NEXT.${TASK_STREAM}.${TASK_CONSUMER}`,
    `$JS.ACK.${TASK_STREAM}.${TASK_CONSUMER}.>`,
  ],
  subscribe: [`${AGENT_INBOXES}.>`],
} as const

/**
 * Returns the inbox prefix of one agent. Characters other than letters, digits and `-` become `_`: a dot would split
 * the subject.
 */
export const agentInbox = (name: string, agent_id: string): string =>
  `${AGENT_INBOXES}.${name.replaceAll(/[^\w-]/g, '_')}.${agent_id}`

/** The options to connect with, read from a NATS_URL. */
type NatsServers = {
  servers: string[]
  user?: string
  pass?: string
  token?: string
  tls?: { ca?: string }
}

/**
 * Reads a NATS_URL: one URL, or several of one cluster separated by commas, with the user and password or the token in
 * the first. (The NATS client ignores credentials in a URL, and `tls:`, which requires encryption here.)
 * @param caFile PEM file with the authorities that may sign the server; requires encryption, too. By default the
 * system's authorities.
 * @throws Error for an invalid URL, without its text, since it may hold a password; ConfigError when the file holds no
 * certificates.
 */
export function natsServers(text: string, caFile?: string): NatsServers {
  const urls = text.split(',').map(natsUrl)
  const [user = '', pass = ''] = [urls[0]?.username, urls[0]?.password].map(decoded)
  const encrypted = caFile !== undefined || urls.some((url) => url.protocol === 'tls:')
  const tls = encrypted ? { tls: caFile === undefined ? {} : { ca: authorities(caFile) } } : {}
  const servers = urls.map((url) => `${url.protocol}//${url.host}`)
  if (user === '') return { servers, ...tls }
  return pass === '' ? { servers, token: user, ...tls } : { servers, user, pass, ...tls }
}

// Errors of the URL parser contain the text they could not parse, so they are not passed on as a cause.
const NO_URL =
  'must be nats://host:port or tls://host:port, or several separated by commas; the first may hold user:password@, in ' +
  'which special characters are percent-encoded (%40 for @)'

function natsUrl(text: string): URL {
  const url = URL.parse(text.trim())
  if (url === null || !['nats:', 'tls:'].includes(url.protocol) || url.host === '') throw new Error(NO_URL)
  return url
}

function decoded(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error(NO_URL)
  }
}

const authorities = (path: string): string => readCertificates({ name: 'NATS_TLS_CA', path }).toString()

const REJECTED = [
  'AUTHORIZATION_VIOLATION',
  'AUTHENTICATION_TIMEOUT',
  'BAD_AUTHENTICATION',
  'BAD_CREDS',
  'ACCOUNT_EXPIRED',
]
/**
 * What Node says about a certificate, and the client about a server without TLS or a user without rights: what to set.
 */
const USELESS: Readonly<Record<string, string>> = {
  PERMISSIONS_VIOLATION:
    'does not let this user manage the queue, like the user for agents. Set NATS_URL to the user for coordinators.',
  SERVER_OPT_NA: 'does not use TLS. Write its address as nats:// and unset NATS_TLS_CA, or switch TLS on there.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for other names. Use one of them in its address.',
  CERT_HAS_EXPIRED: 'has a certificate that has expired. Renew it there.',
  ...Object.fromEntries(
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    ].map((code) => [
      code,
      'has a certificate of another authority. Write its address as tls://, and set NATS_TLS_CA to the PEM file of that authority.',
    ]),
  ),
}
const TIMED_OUT = 'it timed out, because of a firewall, or because another server has that port'
const UNREACHABLE: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: 'the connection was refused',
  CONNECTION_TIMEOUT: TIMED_OUT,
  TIMEOUT: TIMED_OUT,
}

/**
 * Returns the error for an operator when the NATS at NATS_URL cannot be used. It says what to do, without the address.
 */
export function natsUnusable(cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const text = REJECTED.includes(code)
    ? 'rejects the user and password, or the token. Set NATS_URL to the credentials of its configuration.'
    : (USELESS[code] ??
      `does not answer: ${UNREACHABLE[code] ?? reasonOf(cause)}. Start it, or set NATS_URL to its address.`)
  return new Error(`NATS (NATS_URL) ${text}`, { cause })
}
