/**
 * Every subject, stream and consumer by name. MongoDB is the queue and NATS its doorbell: a task message holds the
 * task's id and nothing else.
 */
export const TASK_STREAM = 'PLACEFLEET_TASKS'
export const TASK_SUBJECT = 'placefleet.tasks'
export const TASK_CONSUMER = 'agents'

/** Orders that must reach every coordinator at once. Core NATS: who misses one is caught up by a sweeper. */
export const CONTROL_JOB_ENDED = 'placefleet.control.job-ended'

/** How to connect to what NATS_URL names. */
export type NatsServers = { servers: string[]; user?: string; pass?: string; token?: string }

/**
 * Reads a NATS_URL: one URL or several of one cluster, divided by commas, with the user and password or the token in
 * the first. (The client itself ignores what stands before the `@`.)
 * @throws TypeError when one is no URL.
 */
export function natsServers(text: string): NatsServers {
  const urls = text.split(',').map((url) => new URL(url.trim()))
  const [user = '', pass = ''] = [urls[0]?.username, urls[0]?.password].map((part) => decodeURIComponent(part ?? ''))
  const servers = urls.map((url) => `${url.protocol}//${url.host}`)
  if (user === '') return { servers }
  return pass === '' ? { servers, token: user } : { servers, user, pass }
}
