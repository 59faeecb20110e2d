import { readCertificates } from './tls-files.ts'

/**
 * Every subject, stream and consumer by name. MongoDB is the queue and NATS its doorbell: a task message holds the
 * task's id and nothing else.
 */
export const TASK_STREAM = 'PLACEFLEET_TASKS'
export const TASK_SUBJECT = 'placefleet.tasks'
export const TASK_CONSUMER = 'agents'

/** Orders that must reach every coordinator at once. Core NATS: who misses one is caught up by a sweeper. */
export const CONTROL_JOB_ENDED = 'placefleet.control.job-ended'

/** Says that a webhook delivery is due. Core NATS: who misses it looks for itself a second later. */
export const DELIVERY_DUE = 'placefleet.control.delivery-due'

/** What agents' inboxes begin with; each agent has those below `<this>.<its name>.<its id>`. */
export const AGENT_INBOXES = '_INBOX_AGENTS'

/**
 * All that the NATS user of agents may do: take messages of the task consumer, acknowledge them, receive answers. The
 * keys and lists are those of a NATS server's configuration.
 */
export const AGENT_PERMISSIONS = {
  publish: [
    `$JS.API.CONSUMER.INFO.${TASK_STREAM}.${TASK_CONSUMER}`,
    `$JS.API.CONSUMER.MSG.NEXT.${TASK_STREAM}.${TASK_CONSUMER}`,
    `$JS.ACK.${TASK_STREAM}.${TASK_CONSUMER}.>`,
  ],
  subscribe: [`${AGENT_INBOXES}.>`],
} as const

/** The inboxes of one agent. What is no letter or digit in its name becomes `_`, since a dot would divide it. */
export const agentInbox = (name: string, agent_id: string): string =>
  `${AGENT_INBOXES}.${name.replaceAll(/[^\w-]/g, '_')}.${agent_id}`

/** How to connect to what NATS_URL names. */
export type NatsServers = {
  servers: string[]
  user?: string
  pass?: string
  token?: string
  tls?: { ca?: string }
}

/**
 * Reads a NATS_URL: one URL or several of one cluster, divided by commas, with the user and password or the token in
 * the first. (The client itself ignores what stands before the `@`, and the `tls:`, which demands encryption here.)
 * @param caFile a file of the certificates of those who may vouch for a `tls:` server; by default the system's.
 * @throws Error when one is no such URL, without its text: it may hold a password; ConfigError when the file holds no
 * certificates.
 */
export function natsServers(text: string, caFile?: string): NatsServers {
  const urls = text.split(',').map(natsUrl)
  const [user = '', pass = ''] = [urls[0]?.username, urls[0]?.password].map(decoded)
  const encrypted = urls.some((url) => url.protocol === 'tls:')
  const tls = encrypted ? { tls: caFile === undefined ? {} : { ca: authorities(caFile) } } : {}
  const servers = urls.map((url) => `${url.protocol}//${url.host}`)
  if (user === '') return { servers, ...tls }
  return pass === '' ? { servers, token: user, ...tls } : { servers, user, pass, ...tls }
}

// The failures of the platform hold what they could not read, so that they must not come through as a cause either.
const NO_URL =
  'must be nats://host:port or tls://host:port, or several divided by commas; the first may hold user:password@, in ' +
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
