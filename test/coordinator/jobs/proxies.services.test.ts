import { join } from 'node:path'
import { backUp } from '@placefleet/coordinator/backup/backup'
import { restore } from '@placefleet/coordinator/backup/restore'
import { grantClaim } from '@placefleet/coordinator/fleet/claim'
import { indexes } from '@placefleet/coordinator/indexes'
import { cancelJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { findProxies, jobProxiesOf, keepProxies, removeProxies } from '@placefleet/coordinator/jobs/proxies'
import { latestJobs, recentJobs } from '@placefleet/coordinator/jobs/reports'
import { findListed, findListedJobs, pageOfUser } from '@placefleet/coordinator/jobs/user-jobs'
import { changeMonitor, createMonitor } from '@placefleet/coordinator/monitors/change'
import { runNow } from '@placefleet/coordinator/monitors/run-now'
import { CreateMonitorRequest } from '@placefleet/coordinator/monitors/schema'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { PROTOCOL } from '@placefleet/shared/protocol'
import { MAX_PROXIES_BYTES } from '@placefleet/shared/proxy-url'
import { afterAll, expect, test } from 'vitest'
import { knownAgent } from '../../harness/agents/known-agent.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { createQuietly, creation, PROXIED, startBed } from '../operations/bed.ts'

const bed = await startBed((end) => afterAll(end))
const { db, healthy } = bed

/** As many proxies as a job may have, with URLs that are as long as they may be. */
const LONG = Array.from({ length: 100 }, (_, index) => {
  const start = `http://u${index}:`
  const end = '@93.184.216.34:8080'
  return `${start}${'p'.repeat(Math.floor(MAX_PROXIES_BYTES / 100) - start.length - end.length)}${end}`
})

/** A job with proxies whose first task waits for an agent. */
async function released(proxies = PROXIED.proxies) {
  const user_id = await bed.user()
  const { job_id } = await createQuietly(healthy, creation(user_id, { request: { ...PROXIED, proxies } }))
  await healthy.engine.reconcile(job_id)
  const { _id: task_id } = (await tasksOf(db).findOne({ job_id, state: 'released' })) ?? expect.fail('no task')
  const caller = { enrolment: undefined, draining: false, protocol: PROTOCOL, exit: knownAgent().exit }
  const claim = { task_id, agent_id: crypto.randomUUID(), resume_attempt: undefined, claim_id: undefined }
  return { user_id, job_id, task_id, claim: () => grantClaim(healthy, caller, claim) }
}

const storedOf = (job_id: string) => jobProxiesOf(db).countDocuments({ _id: job_id })

/** What a read may take for each document, without any proxies. */
const SMALL = 3_000

test('no read of jobs reads their proxies: not the whole documents, not a list, not a report', async () => {
  const { user_id, job_id } = await released(LONG)
  const order = { page: 1, limit: 100, search: '', sort: 'created_at', order: 'desc' } as const
  const reads = {
    'the documents': jobsOf(db).find({ user_id }).toArray(),
    'the list': pageOfUser(healthy.db, user_id, order),
    'the search': pageOfUser(healthy.db, user_id, { ...order, search: 'j' }),
    'one job': findListed(healthy.db, user_id, job_id),
    'some jobs': findListedJobs(healthy.db, user_id, [job_id]),
    'the dashboard': recentJobs(db, user_id, 10),
    "the operator's list": latestJobs(db, { user_id, limit: 10 }),
  }
  for (const [name, read] of Object.entries(reads)) {
    const text = JSON.stringify(await read)
    expect(text, name).toContain(job_id)
    expect(text.length, name).toBeLessThan(SMALL)
  }
  expect(await storedOf(job_id)).toBe(1)
})

test('the claim of a task brings the proxies of its job, and they go when the job ends', async () => {
  const { user_id, job_id, claim } = await released()
  const granted = await claim()
  expect('assignment' in granted && granted.assignment.proxies).toEqual(PROXIED.proxies)
  await cancelJob(healthy.db, healthy.engine, user_id, job_id)
  expect(await storedOf(job_id), 'its agent stops first').toBe(1)
  await tasksOf(db).updateMany({ job_id }, { $set: { state: 'cancelled' } })
  await healthy.engine.reconcile(job_id)
  await healthy.endedJobs.idle()
  expect(await bed.find(job_id)).toMatchObject({ phase: 'ended', proxy_count: 1 })
  expect(await storedOf(job_id)).toBe(0)
})

test('a task whose job has lost its proxies is never run without them', async () => {
  const { job_id, task_id, claim } = await released()
  await removeProxies(db, job_id)
  expect(await claim()).toEqual({ refusal: 'done' })
  expect(await tasksOf(db).findOne({ _id: task_id })).toMatchObject({ state: 'cancelled' })
})

test('a backup keeps the proxies of a job that runs, and not those of one that ended while it was taken', async () => {
  const [open, ended] = [await released(), await released()]
  await cancelJob(healthy.db, healthy.engine, ended.user_id, ended.job_id)
  await keepProxies(db, ended.job_id, 'read before the job ended')
  const dir = join(temporaryDir(), 'backup')
  await backUp(db, dir)
  const { db: restored } = await testDatabase('new')
  await restore(restored, dir, indexes)
  const copied = await jobsOf(restored).distinct('_id', { _id: { $in: [open.job_id, ended.job_id] } })
  expect(copied.toSorted()).toEqual([open.job_id, ended.job_id].toSorted())
  expect(await jobProxiesOf(restored).distinct('_id')).toContain(open.job_id)
  expect(await jobProxiesOf(restored).distinct('_id')).not.toContain(ended.job_id)
})

test('no read of monitors reads their proxies, but their jobs have them', async () => {
  const user_id = await bed.user(1_000_000_000)
  const { name, keywords, language } = PROXIED
  const job = { name, keywords, language, max_results: 5, proxies: LONG }
  const request = CreateMonitorRequest.parse({ name: 'm', job, schedule: { every: '1h' }, paused: true })
  const { monitor } = await createMonitor(healthy, { user_id, source: 'api', paid: false }, request)
  const { _id: id } = monitor
  const { monitors } = healthy
  const reads = {
    'the creation': Promise.resolve(monitor),
    'a change': changeMonitor(healthy, user_id, id, { name: 'other' }),
    'the list': monitors.list(user_id),
    'one monitor': monitors.find(user_id, id),
    'one monitor, and the time': monitors.findNow(user_id, id),
    'one monitor of any user': monitors.findAny(id),
  }
  for (const [which, read] of Object.entries(reads)) {
    const text = JSON.stringify(await read)
    expect(text, which).toContain(id)
    expect(text.length, which).toBeLessThan(SMALL)
  }
  const { job_id } = await runNow(healthy, user_id, id)
  const sealed = (await findProxies(db, job_id)) ?? expect.fail('the job of the run has no proxies')
  expect(JSON.parse(healthy.secrets.open(sealed))).toEqual(LONG)
  await changeMonitor(healthy, user_id, id, { job: { ...request.job, proxies: [] } })
  expect(await monitors.findWithProxies(id)).not.toHaveProperty('sealed_proxies')
})
