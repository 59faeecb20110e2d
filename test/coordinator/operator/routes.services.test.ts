import { randomUUID } from 'node:crypto'
import { sessionsOf, usersOf } from '@placefleet/coordinator/accounts/documents'
import { setRole, setRoleAmongOperators } from '@placefleet/coordinator/accounts/roles'
import { createApiKey, createUser, findUser } from '@placefleet/coordinator/accounts/store'
import { createAgentActivity } from '@placefleet/coordinator/fleet/activity'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createLeases } from '@placefleet/coordinator/tasks/lease'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../api/api-world.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { addUser, cookieOf } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { volume } from '../../harness/volume.ts'

const world = await startWorld(afterAll)
const { db } = world
const { url, grpc } = await addCoordinator(world)
const operator = await addUser(db)
await setRole(db, operator.user_id, 'operator')
const user = await addUser(db, 0)

const Enrolled = z.object({ token: z.string(), environment: z.string(), command: z.string() })

/** Lets the agent `home` claim a new task of a job through the exit `attic`. */
async function heldTask(job_id: string, user_id: string): Promise<void> {
  await insertTasks(db, [{ job_id, user_id, kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  const { _id } =
    (await tasksOf(db).findOneAndUpdate({ job_id }, { $set: { state: 'released' } })) ?? expect.fail('no task')
  await createLeases(db).claim(_id, { agent_id: 'home/1', stream: 's', exit: 'attic' })
}

/** Calls the operator API with an operator's key. */
const call = (method: string, path: string, body?: unknown) =>
  ask(url, method, `/api/v1/admin${path}`, { key: operator.key, body })

test('a role counts at once, for keys and sessions alike', async () => {
  const { user_id, key } = await addUser(db, 0)
  const statuses = async () => {
    const headers = { cookie: await cookieOf(db, user_id), 'sec-fetch-site': 'same-origin' }
    const answers = [{ key }, { headers }].map((how) => ask(url, 'GET', '/api/v1/admin/doctor', how))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  expect(await statuses()).toEqual([403, 403])
  expect((await call('PATCH', `/users/${user_id}`, { role: 'operator' })).body).toMatchObject({ role: 'operator' })
  expect(await statuses()).toEqual([200, 200])
  expect((await call('PATCH', `/users/${user_id}`, { role: 'user' })).status).toBe(200)
  expect(await statuses()).toEqual([403, 403])
})

test('the last operator keeps the role', async () => {
  const own = `/users/${operator.user_id}`
  await usersOf(db).updateMany({ _id: { $ne: operator.user_id } }, { $set: { role: 'user' } })
  expect((await call('PATCH', own, { role: 'user' })).body).toMatchObject({ message: expect.stringContaining('last') })
  const { user_id } = await addUser(db, 0)
  await setRole(db, user_id, 'operator')
  expect((await call('PATCH', `/users/${user_id}`, { role: 'user' })).status).toBe(200)
  expect((await call('GET', '/doctor')).status).toBe(200)
})

test('two operators who demote each other at once leave an operator', async () => {
  const { db } = await startWorld()
  const [one, two] = [await addUser(db), await addUser(db)]
  for (let round = 0; round < volume(10, 200); round++) {
    await usersOf(db).updateMany({}, { $set: { role: 'operator' } })
    await Promise.allSettled([one, two].map(({ user_id }) => setRoleAmongOperators(db, user_id, 'user')))
    expect(await usersOf(db).countDocuments({ role: 'operator' }, SCAN)).toBeGreaterThan(0)
  }
})

test('other users are refused before the request is validated', async () => {
  const wrong = { key: user.key, rawBody: '{', headers: { 'content-type': 'application/json' } }
  expect((await ask(url, 'POST', '/api/v1/admin/grants', wrong)).status).toBe(403)
  expect((await ask(url, 'GET', '/api/v1/admin/users/x', { key: user.key })).status).toBe(403)
  expect((await ask(url, 'POST', '/api/v1/admin/grants', { ...wrong, key: undefined })).status).toBe(401)
})

test('users are found by a part of their email, and created once', async () => {
  const email = `${randomUUID()}@Example.com`
  const made = await call('POST', '/users', { email })
  expect(made).toMatchObject({ status: 201, body: { email: email.toLowerCase(), role: 'user', linked: false } })
  expect((await call('POST', '/users', { email })).status).toBe(409)
  const found = await call('GET', `/users?search=${email.slice(0, 20).toUpperCase()}`)
  expect(found.body).toMatchObject({ users: [made.body], total: 1, has_more: false })
  expect((await call('GET', '/users?search=.*&limit=1')).body).toMatchObject({ users: [], total: 0 })
  expect((await call('GET', '/users?limit=1')).body).toMatchObject({ users: [{}], limit: 1, has_more: true })
  expect((await call('GET', `/users/${randomUUID()}`)).status).toBe(404)
})

test('an operator makes a sign-in link, and signs a user out everywhere', async () => {
  const { _id } = await createUser(db, { email: `${randomUUID()}@example.com` })
  const { status, body } = await call('POST', `/users/${_id}/sign-in-link`)
  expect(status).toBe(201)
  const token = (body as { url: string }).url.split('/console/#link=')[1]
  expect((await ask(url, 'POST', '/auth/link', { body: { token } })).status).toBe(204)
  expect(await sessionsOf(db).countDocuments({ user_id: _id })).toBe(1)
  expect((await call('DELETE', `/users/${_id}/sessions`)).status).toBe(204)
  expect(await sessionsOf(db).countDocuments({ user_id: _id })).toBe(0)
  expect((await call('DELETE', `/users/${_id}/identity`)).status).toBe(204)
})

test('a grant counts once per reference', async () => {
  const request = { user: user.user_id, amount: '2.50', reference: 'ticket 7', reason: 'Welcome' }
  const first = await call('POST', '/grants', request)
  expect(first).toMatchObject({ status: 201, body: { type: 'bonus', amount: '2.500000', repeated: false } })
  expect((await call('POST', '/grants', request)).body).toMatchObject({ credit_balance: '2.500000', repeated: true })
  expect((await call('POST', '/grants', { ...request, amount: '3' })).status).toBe(409)
  expect((await call('POST', '/grants', { ...request, amount: 3 })).status).toBe(400)
  expect((await call('POST', '/grants', { ...request, user: 'nobody@example.com' })).status).toBe(404)
})

test('prices are set for a time ahead, listed and looked up', async () => {
  const from = new Date(Date.now() + 3_600_000).toISOString()
  expect((await call('POST', '/prices', { from: new Date().toISOString(), image: '1' })).status).toBe(400)
  const prices = { place_scraped: '0.004000', job_start: '0.007000' }
  const set = await call('POST', '/prices', { from, place_scraped: '0.004' })
  expect(set).toMatchObject({ status: 201, body: { from, state: 'coming', prices } })
  expect((await call('GET', '/prices')).body).toMatchObject({ prices: [{ state: 'in force' }, { state: 'coming' }] })
  expect((await call('GET', `/prices/preview?at=${encodeURIComponent(from)}`)).body).toMatchObject({ prices })
})

test('agents are enrolled, drained, resumed and revoked', async () => {
  const enrolled = await call('POST', '/agents', { name: 'home' })
  expect(enrolled).toMatchObject({ status: 201, body: { name: 'home', token: expect.stringMatching(/^agt_/) } })
  const { token, environment, command } = Enrolled.parse(enrolled.body)
  const settings = ['AGENT_NAME=home', `AGENT_TOKEN=${token}`, `COORDINATOR_GRPC=${grpc}`]
  expect(environment.split('\n')).toEqual(expect.arrayContaining(settings))
  expect(command).toMatch(/^docker run .*--env-file home\.env .*placefleet\/agent$/)
  expect(command).not.toContain(token)
  expect((await call('POST', '/agents', { name: 'home' })).status).toBe(409)
  expect((await call('GET', '/agents')).text).not.toContain(token)
  for (const order of ['drain', 'resume', 'revoke']) {
    expect((await call('POST', `/agents/home/${order}`)).status).toBe(204)
  }
  expect((await call('GET', '/agents')).body).toMatchObject({
    agents: [{ name: 'home', state: 'revoked', running: 0 }],
  })
  expect((await call('POST', '/agents/home/drain')).status).toBe(404)
})

test('the queue, dead tasks, support requests and the doctor', async () => {
  const own = await startWorld()
  const { url } = await addCoordinator(own)
  const user = await addUser(own.db)
  const { user_id, key } = await addUser(own.db)
  await setRole(own.db, user_id, 'operator')
  const call = (method: string, path: string) => ask(url, method, `/api/v1/admin${path}`, { key })
  const question = { category: 'bug', message: 'It is broken.' }
  expect((await ask(url, 'POST', '/api/v1/support', { key: user.key, body: question })).status).toBe(200)
  expect((await call('GET', '/support')).body).toMatchObject({ requests: [{ ...question, user_id: user.user_id }] })
  expect((await call('GET', '/queue')).body).toMatchObject({
    jobs: { pending: 0, late: 0 },
    tasks: { waiting: 0, unclaimed: 0 },
    fleet: { connected: 0 },
    messages: 0,
  })
  expect((await call('GET', '/tasks/dead')).body).toEqual({ tasks: [] })
  expect((await call('GET', '/doctor')).body).toMatchObject({
    healthy: true,
    advice: [expect.stringContaining('no job'), expect.stringContaining('No agent is connected')],
    failed_tasks: [],
  })
})

test('jobs of all users are listed with their user, and one of them is shown with its tasks', async () => {
  const { user_id } = await addUser(db)
  const job = sampleJob(user_id, { status: 'running', name: 'Bakeries' })
  await jobsOf(db).insertOne(job)
  const email = (await findUser(db, user_id))?.email ?? ''
  const shown = { id: job._id, name: 'Bakeries', user_id, email }
  const list = (query: string) => call('GET', `/jobs?${query}`)
  expect((await list(`user=${encodeURIComponent(email)}`)).body).toMatchObject({ jobs: [shown], has_more: false })
  expect((await list('user=nobody@example.com')).status).toBe(404)
  expect((await list(`user=${user_id}&status=failed`)).body).toMatchObject({ jobs: [] })
  expect((await call('GET', `/jobs/${job._id}`)).body).toMatchObject(shown)
  expect((await call('GET', `/jobs/${randomUUID()}`)).status).toBe(404)

  await heldTask(job._id, user_id)
  const tasks = await call('GET', `/jobs/${job._id}/tasks`)
  expect(tasks.body).toMatchObject({
    tasks: [{ kind: 'discover', state: 'running', attempts: [{ number: 1, agent: 'home', exit: 'attic' }] }],
    has_more: false,
  })
  await tasksOf(db).updateOne({ job_id: job._id }, { $set: { proxied: true } })
  const proxied = await call('GET', `/jobs/${job._id}/tasks`)
  expect(proxied.text, 'a task with proxies does not use the own address of its agent').not.toContain('attic')
  const ofUser = await createApiKey(db, user_id, { name: 'k' })
  const own = await ask(url, 'GET', `/api/v1/jobs/${job._id}/tasks`, { key: ofUser.key })
  expect(own.body).toMatchObject({ tasks: [{ attempts: [{ number: 1 }] }] })
  expect(own.text, 'users see nothing of the fleet').not.toMatch(/home|attic/)
})

test('a failed task of a running job is retried, and no other one', async () => {
  const { user_id } = await addUser(db)
  const job = sampleJob(user_id, { status: 'running' })
  await jobsOf(db).insertOne(job)
  await heldTask(job._id, user_id)
  const { _id } = (await tasksOf(db).findOne({ job_id: job._id })) ?? expect.fail('no task')
  expect((await call('POST', `/tasks/${_id}/retry`)).status).toBe(409)
  await tasksOf(db).updateOne({ _id }, { $set: { state: 'failed', failures: 3, ended_at: new Date() } })
  expect((await call('POST', `/tasks/${_id}/retry`)).status).toBe(204)
  expect(await tasksOf(db).findOne({ _id })).toMatchObject({ failures: 0 })
  await tasksOf(db).updateOne({ _id }, { $set: { state: 'failed' } })
  await jobsOf(db).updateOne({ _id: job._id }, { $set: { status: 'completed', phase: 'ended' } })
  expect((await call('POST', `/tasks/${_id}/retry`)).body).toMatchObject({ message: expect.stringContaining('ended') })
  expect((await call('POST', `/tasks/${randomUUID()}/retry`)).status).toBe(404)
})

test('the work of the fleet is counted by hours, that of an agent by minutes', async () => {
  const activity = createAgentActivity(db)
  activity.count('home/1', { stored: 3, ended: 5, blocked: 1, refused: 0 })
  activity.count('shop/1', { stored: 0, ended: 0, blocked: 0, refused: 2 })
  await activity.flush()
  const hour = { places: 3, visited: 5, blocked: 1, refused_tasks: 2 }
  expect((await call('GET', '/activity')).body).toMatchObject({ hours: [hour] })
  const { user_id } = await addUser(db)
  await heldTask(randomUUID(), user_id)
  expect((await call('GET', '/agents/activity?id=home/1')).body).toMatchObject({
    minutes: [{ ...hour, refused_tasks: 0 }],
    tasks: expect.arrayContaining([expect.objectContaining({ state: 'running' })]),
  })
})
