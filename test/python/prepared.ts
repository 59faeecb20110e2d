import { randomUUID } from 'node:crypto'
import { createSession, listSessions } from '@placefleet/coordinator/accounts/sessions'
import { createApiKey } from '@placefleet/coordinator/accounts/store'
import { beginDeviceLogin, decideDeviceLogin } from '@placefleet/coordinator/auth/device/logins'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import { createSignInLink } from '@placefleet/coordinator/auth/links'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { ask, failedDelivery, JOB } from '../api/api-world.ts'
import { addUser, cookieOf } from '../harness/coordinator/users.ts'
import { API_KEY } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'
import { pay } from '../stripe/happenings.ts'
import type { startStripe } from '../stripe/server.ts'

/** What an operation needs to succeed. */
export type Needs = {
  /** Values of parameters, for example of `path.id` or `body.token`. */
  values?: Record<string, string[]>
  /** A cookie in place of the usual one, for an operation that ends its session. */
  cookie?: string
}

export type Deployment = {
  url: string
  db: Db
  /** The user of the API key. */
  user_id: string
  stripe: Awaited<ReturnType<typeof startStripe>>
}

/** With it the first operator signs in, once. */
export const ADMIN_TOKEN = 'a long token of the first operator'

/** The keyword of jobs that do not end. */
export const ENDLESS = 'endless'

const Created = z.object({ id: z.string() })

/**
 * Makes what each operation of the API needs to succeed at least once, and returns it by operation id. An operation that
 * removes or uses up something gets things of its own. The keyword `ENDLESS` must give a job that does not end.
 */
export async function prepareOperations(deployment: Deployment): Promise<Record<string, Needs>> {
  return {
    ...(await jobNeeds(deployment)),
    ...(await monitorNeeds(deployment)),
    ...(await webhookNeeds(deployment)),
    ...(await moneyNeeds(deployment)),
    ...(await accountNeeds(deployment)),
    ...(await signInNeeds(deployment)),
    ...(await fleetNeeds(deployment)),
  }
}

/** Returns the same needs for several operations. */
const each = (operations: string[], needs: Needs): Record<string, Needs> =>
  Object.fromEntries(operations.map((operation) => [operation, needs]))

async function create(url: string, path: string, body: object): Promise<string> {
  const answer = await ask(url, 'POST', path, { key: API_KEY, body })
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  return Created.parse(answer.body).id
}

async function endedJob(url: string): Promise<string> {
  const id = await create(url, '/api/v1/jobs', JOB)
  const isOver = async () => (await ask(url, 'GET', `/api/v1/jobs/${id}?wait=10`, { key: API_KEY })).body
  await until(
    'the job ends',
    async () => z.object({ status: z.literal('completed') }).safeParse(await isOver()).success,
  )
  return id
}

/** Creates a running job of which one task has failed, and returns the id of the task. */
async function failedTask({ url, db }: Deployment): Promise<string> {
  const job_id = await create(url, '/api/v1/jobs', { ...JOB, keywords: [ENDLESS] })
  await until('it runs', async () => (await jobsOf(db).countDocuments({ _id: job_id, status: 'running' })) === 1)
  const task = await tasksOf(db).findOne({ job_id })
  if (!task) throw new Error('A running job has no task')
  const { lease_until: _, ...ended } = task
  const failed = {
    ...ended,
    _id: randomUUID(),
    ordinal: 99,
    state: 'failed' as const,
    failures: 3,
    ended_at: new Date(),
  }
  await tasksOf(db).insertOne(failed)
  return failed._id
}

async function jobNeeds(deployment: Deployment): Promise<Record<string, Needs>> {
  const { url } = deployment
  const id = { 'path.id': [await endedJob(url)] }
  const reading = ['getJob', 'getJobCosts', 'getJobCoverage', 'listJobDeliveries', 'listJobResults', 'listJobTasks']
  const streaming = ['downloadJobResults', 'streamJob', 'streamJobEvents']
  return {
    ...each([...reading, ...streaming, 'getAnyJob', 'listAnyJobTasks', 'createDownloadLink'], { values: id }),
    retryTask: { values: { 'path.id': [await failedTask(deployment)] } },
    cancelJob: { values: { 'path.id': [await create(url, '/api/v1/jobs', { ...JOB, keywords: [ENDLESS] })] } },
    deleteJob: { values: { 'path.id': [await endedJob(url)] } },
  }
}

async function monitorNeeds({ url }: Deployment): Promise<Record<string, Needs>> {
  const monitor = () => create(url, '/api/v1/monitors', { name: 'x', job: JOB, schedule: { every: '12h' } })
  const reading = ['getMonitor', 'listMonitorRuns', 'listMonitorChanges', 'downloadMonitorChanges']
  return {
    ...each([...reading, 'updateMonitor', 'runMonitor'], { values: { 'path.id': [await monitor()] } }),
    deleteMonitor: { values: { 'path.id': [await monitor()] } },
  }
}

async function webhookNeeds({ url, db, user_id }: Deployment): Promise<Record<string, Needs>> {
  // Nobody answers there, so a webhook that gets the events of the run's jobs is disabled before the run ends.
  const webhook = () =>
    create(url, '/api/v1/webhooks', { name: 'x', url: 'https://hooks.example.com/', event_types: ['monitor.paused'] })
  // Its own webhook, because another operation retries all failed deliveries of a webhook.
  const [id, retried] = [await webhook(), await webhook()]
  const failed = (webhook_id: string) => failedDelivery({ webhook_id, user_id, job_id: randomUUID() })
  const delivery = failed(retried)
  await deliveriesOf(db).insertMany([failed(id), delivery])
  const changing = ['updateWebhook', 'rotateWebhookSecret', 'testWebhook', 'retryFailedWebhookDeliveries']
  return {
    ...each(['listWebhookDeliveries', ...changing], { values: { 'path.id': [id] } }),
    retryWebhookDelivery: { values: { 'path.id': [retried], 'path.delivery_id': [delivery._id] } },
    deleteWebhook: { values: { 'path.id': [await webhook()] } },
  }
}

async function moneyNeeds({ url, stripe }: Deployment): Promise<Record<string, Needs>> {
  const body = { credits: '5', currency: 'USD' }
  const opened = await ask(url, 'POST', '/api/v1/credits/checkout-session', { key: API_KEY, body })
  const { session_id } = z.object({ session_id: z.string() }).parse(opened.body)
  pay(stripe.account, session_id)
  return { reconcileCheckoutSession: { values: { 'body.session_id': [session_id] } } }
}

async function accountNeeds({ db, user_id }: Deployment): Promise<Record<string, Needs>> {
  const key = async () => (await createApiKey(db, user_id, { name: 'x' })).document._id
  const users = ['getUser', 'setUserRole', 'createSignInLink', 'endUserSessions', 'unlinkUser']
  const somebody = await addUser(db)
  return {
    updateApiKey: { values: { 'path.id': [await key()] } },
    deleteApiKey: { values: { 'path.id': [await key()] } },
    ...each(users, { values: { 'path.id': [somebody.user_id] } }),
    setPrices: {
      values: { 'body.from': [1, 2, 3].map((day) => new Date(Date.now() + day * 86_400_000).toISOString()) },
    },
    grantCredits: { values: { 'body.user': [somebody.user_id] } },
  }
}

async function signInNeeds({ db, user_id, url }: Deployment): Promise<Record<string, Needs>> {
  const waiting = async () => beginDeviceLogin(db, { client_name: 'x', client_address: '203.0.113.7' })
  const code = async () => ({ values: { 'path.user_code': [(await waiting()).user_code] } })
  const approved = await waiting()
  // Another user approves it: the user of this run soon has ten keys, the most there may be.
  await decideDeviceLogin(db, approved.user_code, { user_id: (await addUser(db)).user_id, approved: true })
  const token = (await createSignInLink(db, user_id, url)).url.split('#link=')[1] ?? ''
  const ending = await addUser(db)
  for (let other = 0; other < 3; other++) await createSession(db, ending.user_id)
  const others = (await listSessions(db, ending.user_id)).map(({ _id }) => _id)
  const codes = { getDeviceLogin: await code(), approveDeviceLogin: await code(), denyDeviceLogin: await code() }
  // The run may take longer than the ten minutes of a login.
  await deviceLoginsOf(db).updateMany({}, { $set: { expires_at: new Date(Date.now() + 86_400_000) } })
  return {
    ...codes,
    redeemDeviceLogin: { values: { 'body.device_code': [approved.device_code] } },
    claimDeployment: { values: { 'body.token': [ADMIN_TOKEN] } },
    redeemSignInLink: { values: { 'body.token': [token] } },
    signOut: { cookie: await cookieOf(db, (await addUser(db)).user_id) },
    endSession: { values: { 'path.id': others }, cookie: await cookieOf(db, ending.user_id) },
  }
}

async function fleetNeeds({ db, url }: Deployment): Promise<Record<string, Needs>> {
  const proxies = ['http://one.example.com:8080']
  const pooled = await ask(url, 'POST', '/api/v1/admin/exits', { key: API_KEY, body: { proxies } })
  const { ids } = z.object({ ids: z.array(z.string()) }).parse(pooled.body)
  const identities = createIdentities(db)
  for (const name of ['kept', 'revoked']) await identities.enrol(name)
  return {
    ...each(['drainAgent', 'resumeAgent'], { values: { 'path.name': ['kept'] } }),
    removeExit: { values: { 'path.id': ids } },
    revokeAgent: { values: { 'path.name': ['revoked'] } },
  }
}
