import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { diagnose } from '@placefleet/coordinator/operator/doctor/diagnosis'
import type { StoredState } from '@placefleet/coordinator/operator/doctor/state'
import { createPresence } from '@placefleet/coordinator/process/presence'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createTaskNotifier } from '@placefleet/coordinator/tasks/notifier'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { createLogger } from '@placefleet/shared/log'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { knownAgent } from '../../../harness/agents/known-agent.ts'
import { sampleJob } from '../../../harness/coordinator/sample-job.ts'
import { startSilentServer } from '../../../harness/network/silent-server.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { opsOn, runOpsHere } from './run-ops.ts'

const fleet = { connected: 2, draining: 0, silent: 0, slots: 8, busy: 3, withoutChromium: [], absentProxyAgents: [] }
const tasks = { waiting: 5, released: 0, running: 3, unclaimed: 0, refused: 0, proxied: 0 }
const oldest = { job_id: 'job', status: 'running', age: 100 } as const
const jobs = { pending: 0, running: 1, aborting: 0, oldest, swept: 2, late: 0 }
const nats = { messages: 0, listening: 5 }
const failures = { lastHour: 0, latest: [] }
const atWork: StoredState = { clockLead: 0, coordinators: 2, fleet, exits: [], jobs, tasks, failures }
const none = { ...fleet, connected: 0, slots: 0, busy: 0 }
const noJobs = { pending: 0, running: 0, aborting: 0, late: 0 }
const unclaimed = { ...tasks, released: 4, unclaimed: 4, running: 0 }

describe('the doctor says', () => {
  test.each<[string, Partial<StoredState>, RegExp, string[]]>([
    ['that work is going on', {}, /^Work is in progress/, []],
    ['that there is nothing to do', { jobs: noJobs, fleet: none }, /^Nothing to do/, []],
    ['that no agent is there', { fleet: none }, /^No agent is connected/, ['agents']],
    [
      'that an agent cannot start Chromium',
      { fleet: { ...fleet, withoutChromium: [{ name: 'attic', message: 'It runs as root.' }] } },
      /^Work is in progress/,
      ['Chromium'],
    ],
    ['that agents only drain', { fleet: { ...none, draining: 2 } }, /^2 agents draining/, ['agents']],
    ['that agents are silent', { fleet: { ...none, silent: 1 } }, /^1 agent silent:/, ['agents']],
    ['that all slots are busy', { fleet: { ...fleet, busy: 8 }, tasks: unclaimed }, /^All 8 slots are busy/, []],
    ['that nobody claims', { tasks: unclaimed }, /do agents reach the coordinators/, ['tasks']],
    [
      'that no agent which may have proxies is connected',
      { tasks: { ...unclaimed, proxied: 3 }, fleet: { ...fleet, absentProxyAgents: ['shed', 'attic'] } },
      /^No agent of PROXY_AGENTS \(shed, attic\) is connected, so 3 tasks with proxies/,
      ['tasks'],
    ],
    ['that the map site refuses', { tasks: { ...tasks, running: 0, refused: 5 } }, /^The map site refuses 5/, []],
    ['that no coordinator works', { jobs: { ...jobs, swept: 31 } }, /^No coordinator is running/, ['coordinator']],
    ['that none is started', { coordinators: 0 }, /^No coordinator is running/, ['coordinator']],
    ['that none is there for the next job', { coordinators: 0, jobs: noJobs }, /^No coordinator is/, ['coordinator']],
    ['that the disk is full', { writeFailure: 'No space left on device' }, /^MongoDB rejects writes/, ['MongoDB']],
    ['that a job is stuck', { jobs: { ...jobs, late: 1 } }, /^1 job should have ended/, ['jobs']],
  ])('%s, and of its checks fail $3', (_, changes, advice, failing) => {
    const diagnosis = diagnose({ mongodb: { ...atWork, ...changes }, nats })
    expect(diagnosis.advice[0]).toMatch(advice)
    expect(diagnosis.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(failing)
    expect(diagnosis.healthy).toBe(failing.length === 0)
    expect(diagnosis.reasons).toHaveLength(diagnosis.advice.length)
    expect(JSON.stringify(diagnosis)).not.toContain('undefined')
  })

  test('that jobs would wait when no agent is connected, which is a warning', () => {
    const { healthy, checks, advice } = diagnose({ mongodb: { ...atWork, jobs: noJobs, fleet: none }, nats })
    const check = checks.find(({ name }) => name === 'agents')
    expect(check).toMatchObject({
      ok: true,
      warning: true,
      detail: expect.stringMatching(/^no agent is connected; jobs wait/),
    })
    expect(healthy).toBe(true)
    expect(advice).toEqual([expect.stringMatching(/^Nothing to do/), expect.stringMatching(/^No agent is connected/)])
  })

  test.each([
    [0, undefined, /^no task failed in the last hour; the last one 2 h ago$/, []],
    [
      3,
      true,
      /^3 tasks failed in the last hour; the last one 2 h ago$/,
      ['3 tasks failed in the last hour, the last one on agent shop-3: blocked: refused'],
    ],
  ])('that %i tasks failed in the last hour', (lastHour, warning, detail, why) => {
    const at = '2026-03-01T12:00:00.000Z'
    const attempt = { number: 3, agent: 'shop-3', reason: 'blocked', message: 'refused', started_at: at } as const
    const task = { id: 't', job_id: 'j', kind: 'collect', ordinal: 0, state: 'failed', stored: 0 } as const
    const latest = [{ ...task, attempts: [attempt], created_at: at }]
    const { checks, advice, failed_tasks } = diagnose({
      mongodb: { ...atWork, failures: { lastHour, latest, age: 7_200 } },
      nats,
    })
    expect(checks.at(-1)).toMatchObject({
      name: 'failures',
      ok: true,
      detail: expect.stringMatching(detail),
      ...(warning && { warning }),
    })
    expect(advice.slice(1)).toEqual(why)
    expect(failed_tasks).toEqual(latest)
  })

  test.each([
    [5, undefined, 'the clock of this host agrees with that of the database', []],
    [6, true, 'the clock of this host is 6 s ahead of that of the database', [/^Let NTP set the clocks/]],
    [-300, true, 'the clock of this host is 5 min behind that of the database', [/^Let NTP set the clocks/]],
  ])('what a clock means that is %i s ahead', (clockLead, warning, detail, advice) => {
    const { checks, ...diagnosis } = diagnose({ mongodb: { ...atWork, clockLead }, nats })
    expect(checks.find(({ name }) => name === 'clock')).toMatchObject({
      name: 'clock',
      ok: true,
      detail,
      ...(warning && { warning }),
    })
    expect(diagnosis.advice.slice(1)).toEqual(advice.map((text) => expect.stringMatching(text)))
  })

  test('what to do about a full disk when the database has ended', () => {
    const { advice } = diagnose({ mongodb: { down: 'connection refused', fullDisk: 'Free some room.' }, nats })
    expect(advice).toEqual(['Free some room.'])
  })

  test('that agents listen elsewhere if tasks are released and no agent listens', () => {
    const { advice } = diagnose({ mongodb: { ...atWork, tasks: unclaimed }, nats: { messages: 4, listening: 0 } })
    expect(advice[0]).toMatch(/no agent listens on this NATS/)
  })

  test('that a NATS without the stream is the fault, and not the agents', () => {
    const empty = { messages: 0, listening: 0, missing: true } as const
    const { checks, advice } = diagnose({ mongodb: { ...atWork, tasks: unclaimed }, nats: empty })
    expect(checks[1]).toMatchObject({ name: 'NATS', ok: false, detail: expect.stringContaining('NATS_REPLICAS') })
    expect(advice[0]).toMatch(/^Agents get no new tasks/)
    expect(diagnose({ mongodb: { ...atWork, jobs: noJobs }, nats: empty }).healthy).toBe(true)
  })

  test('no alarm for a young job that no sweeper has seen', () => {
    const { swept: _unswept, ...unseen } = jobs
    const young = { ...unseen, oldest: { ...oldest, age: 30 } }
    expect(diagnose({ mongodb: { ...atWork, jobs: young }, nats }).healthy).toBe(true)
    expect(diagnose({ mongodb: { ...atWork, jobs: unseen }, nats }).healthy).toBe(false)
  })

  test('that NATS is down before its consequences', () => {
    const diagnosis = diagnose({ mongodb: { ...atWork, tasks: unclaimed }, nats: { down: 'refused' } })
    expect(diagnosis.advice[0]).toMatch(/NATS is down/)
    expect(diagnosis.checks.filter(({ ok }) => !ok)).toEqual([{ name: 'NATS', ok: false, detail: 'refused' }])
  })
})

describe('on a live system', async () => {
  const database = await testDatabase()
  const { db } = database
  const ops = opsOn(database, { NATS_URL: inject('natsUrl') })
  // Each test is about the installation as a whole.
  beforeEach(async () => {
    for (const collection of await db.collections()) await collection.deleteMany({})
  })
  type Found = { healthy: boolean; checks: { name: string; ok: boolean; detail: string }[]; advice: string[] }
  const doctor = async () => {
    const { code, out } = await ops.run('doctor', '--json')
    return { code, ...(JSON.parse(out) as Found) }
  }

  const recordAgent = async (agent_id: string, identity?: string) => {
    const agent = { name: 'a', version: '1', protocol: 1, host: 'h', slots: 4, busy: 0, draining: false }
    const told = { agent_id, ...agent, resting: [], drifted: [] }
    await createAgentRegistry(db).record(agent_id, told, knownAgent('home', identity), 'r')
  }

  test('an installation at rest is healthy, once a coordinator runs', async () => {
    expect(await doctor()).toMatchObject({ code: 1, advice: [expect.stringMatching(/No coordinator is running/)] })
    await createPresence(db, '1').beat()
    const found = await doctor()
    expect(found).toMatchObject({
      code: 0,
      healthy: true,
      advice: [expect.stringMatching(/^Nothing to do/), expect.stringMatching(/^No agent/)],
    })
    const names = 'MongoDB NATS coordinator agents addresses Chromium jobs tasks clock failures'
    expect(found.checks.map(({ name }) => name).join(' ')).toBe(names)
  })

  test('a job that waits is found with its age, its missing agents, and then its unclaimed task', async () => {
    const hourOld = new Date(Date.now() - 3_600_000 * 3)
    await createPresence(db, '1').beat()
    const job = sampleJob('user', { created_at: hourOld })
    await jobsOf(db).insertOne(job)
    expect(await doctor()).toMatchObject({ code: 1, advice: [expect.stringMatching(/No coordinator is running/)] })
    await jobsOf(db).updateOne({ _id: job._id }, [{ $set: { 'lease.at': '$$NOW' } }])
    const lonely = await doctor()
    expect(lonely).toMatchObject({ code: 1, advice: [expect.stringMatching(/No agent is connected/)] })
    expect(lonely.checks[6]?.detail).toBe(
      `1 pending, 0 running, 0 aborting; the oldest has been pending for 3 h (${job._id})`,
    )
    await recordAgent('a')
    const search = { job_id: job._id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'cafe' } as const
    await insertTasks(db, [search])
    await tasksOf(db).updateOne({}, { $set: { state: 'released', released_at: hourOld } })
    await jobsOf(db).updateOne({ _id: job._id }, [{ $set: { 'lease.at': '$$NOW' } }])
    const connection = await connect(natsServers(inject('natsUrl')))
    onTestFinished(() => connection.close())
    await (await createTaskNotifier(connection, createLogger('test', 'silent'))).waiting() // creates the stream
    const unheard = await doctor()
    expect(unheard).toMatchObject({ code: 1, advice: [expect.stringMatching(/^No agent claims 1 released task/)] })
    expect(unheard.checks[7]).toMatchObject({
      name: 'tasks',
      ok: false,
      detail: '0 waiting, 1 released (1 unclaimed for long), 0 running',
    })
    await tasksOf(db).updateOne({}, { $set: { proxied: true } })
    const { out } = await opsOn(database, { NATS_URL: inject('natsUrl'), PROXY_AGENTS: 'shed' }).run('doctor')
    expect(out).toContain('No agent of PROXY_AGENTS (shed) is connected, so 1 task with proxies cannot start.')
  })

  test('a host whose clock is behind the database is told so, and its agents stay connected', async () => {
    await recordAgent('a')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_300_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { checks } = await doctor()
    const detailOf = (wanted: string) => checks.find(({ name }) => name === wanted)?.detail
    expect(detailOf('clock')).toContain('2 h behind')
    expect(detailOf('agents')).toMatch(/^1 connected/)
    expect(await ops.json('agents', 'list')).toMatchObject([{ state: 'connected' }])
  })

  test('an enrolled agent with the command drain counts as draining', async () => {
    const identities = createIdentities(db)
    await identities.enrol('drained')
    await identities.setDraining('drained', true)
    await recordAgent('drained/1', 'drained')
    expect((await doctor()).checks[3]?.detail).toMatch(/ 1 draining/)
  })

  test('a running job past its deadline is found', async () => {
    const late = sampleJob('user', { status: 'running', deadline_at: new Date(Date.now() - 60_000) })
    await jobsOf(db).insertOne(late)
    const { checks, advice } = await doctor()
    expect(checks.find(({ name }) => name === 'jobs')?.ok).toBe(false)
    expect(advice[0]).toMatch(/^1 job should have ended/)
  })

  test('servers that do not answer are named, and where their addresses stood', async () => {
    const env = {
      MONGODB_URL: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=1',
      NATS_URL: 'nats://u:sesame@127.0.0.1:1',
    }
    const { code, out } = await runOpsHere(['doctor'], env)
    expect(code).toBe(1)
    expect(out).toMatch(/FAIL MongoDB .*address in MONGODB_URL[\s\S]*FAIL NATS .*address in NATS_URL/)
    expect(out).not.toContain('sesame')
    const unnamed = await runOpsHere(['doctor'], { DATA_DIR: '/nonexistent' })
    expect(unnamed.out).toMatch(/MONGODB_URL is not set[\s\S]*NATS_URL is not set/)
  })

  test('a frozen NATS is named, and the command ends', async () => {
    const NATS_URL = `nats://${await startSilentServer()}`
    const { code, out } = await runOpsHere(['doctor'], { MONGODB_URL: ops.mongoUrl, NATS_URL })
    expect(out).toMatch(/FAIL NATS .*TIMEOUT/)
    expect(code).toBe(1)
  })
})
