import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { changesOf } from '@placefleet/coordinator/monitors/changes/documents'
import type { Change } from '@placefleet/coordinator/monitors/changes/rules'
import { runId, runsOf } from '@placefleet/coordinator/monitors/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Db } from 'mongodb'
import { knownAgent } from '../harness/agents/known-agent.ts'
import type { Client } from '../harness/coordinator/client.ts'
import type { RunningConsole } from './harness/console.ts'
import type { User } from './harness/user.ts'
import { HOSTILE_ADDRESSES, HOSTILE_TEXTS } from './hostile-texts.ts'

/** The ids of what the pages show. */
export type Shown = { job: string; demo: string; webhook: string; monitor: string; code: string }

/** One of the hostile texts, which the pages show beside others. */
const [HOSTILE = ''] = HOSTILE_TEXTS

/** Creates something for every page: also an agent without Chromium, and a task that failed. */
export async function fill({ db, receiverUrl }: RunningConsole, { client }: User): Promise<Shown> {
  const area = { lat: '52.52', lon: '13.405', radius: 4_000 }
  const made = await client.call('POST', '/api/v1/webhooks', { name: 'Our CRM', url: receiverUrl })
  await client.call('POST', '/api/v1/support', { category: 'bug', subject: 'Where is it?', message: HOSTILE })
  const { id: webhook } = made.body as { id: string }
  const job = await client.create({ name: 'Bakeries', keywords: ['bakery'], max_results: 10, max_reviews: 3, ...area })
  const monitor = await monitorWithHistory(db, client, job)
  await client.ended(job)
  const failure = {
    code: 'layout_changed',
    message: 'The page of the place has no title. Its layout may have changed.',
    detail: HOSTILE,
  } as const
  const ended_at = new Date()
  const attempt = { number: 3, agent_id: 'attic', started_at: ended_at, ended_at, result: 'failed', failure } as const
  const failed = { state: 'failed' as const, failure, agent_id: 'attic', ended_at, attempt: 3, attempts: [attempt] }
  await tasksOf(db).updateOne({ job_id: job, kind: 'collect' }, { $set: failed })
  await client.call('POST', '/api/v1/admin/agents', { name: 'attic' })
  await addAgentWithoutChromium(db)
  const demo = await client.create({ name: 'Free', keywords: ['hotel'], language: 'en', max_results: 1, demo: true })
  await client.ended(demo)
  for (const [nth, { id: _id }] of (await client.places(job)).entries()) {
    const [text, address] = [HOSTILE_TEXTS[nth] ?? '', HOSTILE_ADDRESSES[nth] ?? '']
    const fields = { 'place.title': text, 'place.category': text, 'place.address': text, 'place.website': address }
    await resultsOf(db).updateOne({ _id }, { $set: fields })
  }
  await client.call('POST', '/api/v1/api-keys', { name: HOSTILE })
  await client.call('POST', '/api/v1/webhooks', { name: HOSTILE, url: receiverUrl })
  const login = await client.call('POST', '/auth/device', { client_name: HOSTILE })
  const { user_code: code } = login.body as { user_code: string }
  return { job, demo, webhook, monitor, code }
}

/** Creates a monitor, with a run that was skipped and a change that a run found. */
async function monitorWithHistory(db: Db, client: Client, job_id: string): Promise<string> {
  const monitor_id = await monitorWithRun(db, client, job_id, 'Bakeries each week')
  const at = new Date()
  const skipped = { user_id: 'user', at, begins_at: at, state: 'skipped' as const, reason: HOSTILE }
  await runsOf(db).insertOne({ _id: runId(monitor_id, at), monitor_id, ...skipped })
  const fields = { phone: { before: '+49 30 1', after: '+49 30 2' }, website: { after: 'https://a.de' } }
  await addChange(db, { monitor_id, job_id, sequence: 1, title: HOSTILE, type: 'changed', fields })
  return monitor_id
}

/** Creates a monitor of bakeries with a run, a minute ago, that had this job. */
export async function monitorWithRun(db: Db, client: Client, job_id: string, name: string): Promise<string> {
  const job = { name: 'Bakeries', keywords: ['bakery'], language: 'en' }
  const watch = { name, schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' }, job }
  const { id: monitor_id } = (await client.call('POST', '/api/v1/monitors', watch)).body as { id: string }
  const at = new Date(Date.now() - 60_000)
  const completed = { user_id: 'user', at, begins_at: at, state: 'completed' as const, job_id }
  await runsOf(db).insertOne({ _id: runId(monitor_id, at), monitor_id, ...completed })
  return monitor_id
}

type ShownChange = Change & { monitor_id: string; job_id: string; sequence: number; title: string }

/** Records a change of a place. */
export async function addChange(db: Db, change: ShownChange): Promise<void> {
  const now = new Date()
  await changesOf(db).insertOne({ ...change, place_key: `0x1:0x${change.sequence}`, run_at: now, seen_at: now })
}

/** Records an agent whose Chromium does not start. */
async function addAgentWithoutChromium(db: Db): Promise<void> {
  const message = 'Chromium cannot start: the library libnss3.so is missing. Install it.'
  const agent = { agent_id: 'shed', name: 'shed', version: '1', protocol: 2, host: HOSTILE, slots: 0, busy: 0 }
  const state = { draining: false, resting: [], drifted: [], chromium_problem: { cause: 'library', message } }
  await createAgentRegistry(db).record('shed', { ...agent, ...state }, knownAgent(), 'r')
}
