import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { startCoordinator } from '@placefleet/coordinator/app'
import { readConfig } from '@placefleet/coordinator/config'
import { explainEnd } from '@placefleet/shared/command-line'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { coordinatorEnv, startWorld } from '../harness/coordinator/world.ts'
import { startCuttableProxy } from '../harness/network/cuttable-proxy.ts'
import { freePort } from '../harness/network/free-port.ts'
import { type ProgramRun, runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const COORDINATOR = 'coordinator/main.ts'
const AGENT = 'agent/main.ts'

/** Starts a coordinator in this process, and tells its failure as the program does. */
async function startHere(env: Record<string, string>): Promise<ProgramRun> {
  const log = createLogger('coordinator', 'silent')
  const life = createLifecycle(log)
  const end = await startCoordinator(readConfig(env), log, life).catch((error: unknown) => error)
  await life.close()
  // Only now: until here the NATS client of an earlier test in this process may still write.
  const written = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => written.mockRestore())
  const code = explainEnd(end, 'usage', env.LOG_LEVEL)
  return { code, out: '', err: written.mock.calls.flat().join('\n') }
}

/**
 * Checks that a failed start prints one line for the operator, without a stack or a password, and nothing on stdout.
 */
function expectOneLine({ code, out, err }: ProgramRun, says: RegExp): void {
  expect(err).toMatch(says)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).not.toContain('sesame')
  expect({ code, out }).toEqual({ code: 1, out: '' })
}

async function takenPort(): Promise<string> {
  const server = createServer().listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return String(address !== null && typeof address === 'object' ? address.port : expect.fail('no port'))
}

test('a coordinator without its MongoDB names the setting', async () => {
  const MONGODB_URL = 'mongodb://root:sesame@127.0.0.1:1/'
  const env = { MONGODB_URL, NATS_URL: inject('natsUrl'), DATA_DIR: temporaryDir(), LOG_LEVEL: 'silent' }
  const says = /^MongoDB \(MONGODB_URL\) does not answer: .*ECONNREFUSED.*set MONGODB_URL/
  expectOneLine(await startHere(env), says)
})

test('an option of MONGODB_URL that MongoDB does not know is named', async () => {
  const MONGODB_URL = 'mongodb://root:sesame@127.0.0.1:1/?bogus=1'
  const says = /^MongoDB \(MONGODB_URL\) cannot be used: option bogus .*MONGODB_URL/
  expectOneLine(await startHere({ ...coordinatorEnv(await startWorld()), MONGODB_URL }), says)
})

test.each([
  ['its indexes are built', 'createIndexes'],
  ['the first user is created', 'owner@example.com'],
])('a MongoDB that goes away while %s is named, with what to do', async (_, command) => {
  const world = await startWorld()
  const url = new URL(world.mongoUrl)
  const network = await startCuttableProxy(decodeURIComponent(url.host))
  network.cutAt(command)
  url.host = network.address
  const says = /^MongoDB \(MONGODB_URL\) does not answer: .+\. Start it, or set MONGODB_URL/
  expectOneLine(await startHere({ ...coordinatorEnv(world), MONGODB_URL: url.href }), says)
})

test('a MongoDB whose index has another definition is named, with what to do', async () => {
  const world = await startWorld(undefined, 'new')
  await world.db.collection('users').createIndex({ name: 1 }, { name: 'email' })
  const says =
    /^MongoDB \(MONGODB_URL\) cannot be used: .*email.*\. Correct MONGODB_URL, or the database that it names\.$/
  expectOneLine(await startHere(coordinatorEnv(world)), says)
})

test('a coordinator without its NATS names the setting', async () => {
  const NATS_URL = 'nats://coordinator:sesame@127.0.0.1:1'
  const env = { MONGODB_URL: inject('mongoUrl'), NATS_URL, DATA_DIR: temporaryDir(), LOG_LEVEL: 'silent' }
  const says = /^NATS \(NATS_URL\) does not answer: the connection was refused\. .*set NATS_URL/
  expectOneLine(await startHere(env), says)
})

test.each([
  [COORDINATOR, startHere],
  [AGENT, (env: Record<string, string>) => runProgram(AGENT, [], env)],
])('%s with a wrong password of NATS says so', async (_, start) => {
  const url = new URL(inject('natsUrl'))
  url.password = 'sesame'
  const env = { MONGODB_URL: inject('mongoUrl'), NATS_URL: url.href, AGENT_TOKEN: 'a long token for all tests' }
  const end = await start({ ...env, DATA_DIR: temporaryDir(), LOG_LEVEL: 'silent' })
  expectOneLine(end, /^NATS \(NATS_URL\) rejects the user and password.*NATS_URL/)
})

test('a coordinator with the NATS user of agents says which user it needs', async () => {
  const world = await startWorld()
  const says =
    /^NATS \(NATS_URL\) does not let this user manage the queue.* agents.*Set NATS_URL .* user for coordinators\.$/
  expectOneLine(await startHere({ ...coordinatorEnv(world), NATS_URL: world.natsAgentUrl }), says)
})

test.each([
  [{ PORT: 'taken' }, /^The API cannot listen on port \d+ of 127\.0\.0\.1: the port is in use\. .*set PORT to/],
  [
    { GRPC_PORT: 'taken' },
    /^The agents' server cannot listen on port \d+ of .*: the port is in use\. .*set GRPC_PORT to/,
  ],
  [{ METRICS_PORT: 'taken' }, /^The metrics server cannot listen on .*: the port is in use\. .*set METRICS_PORT to/],
  [
    { HOST: 'nowhere.invalid' },
    /cannot listen on port 0 of nowhere\.invalid: .*Set HOST to an address of this machine/,
  ],
])('a coordinator that cannot listen where %j says names the setting', async (wrong, says) => {
  const world = await startWorld()
  const port = await takenPort()
  const set = Object.fromEntries(Object.entries(wrong).map(([name, value]) => [name, value === 'taken' ? port : value]))

  expectOneLine(await startHere({ ...coordinatorEnv(world), ...set }), says)
})

test('LOG_LEVEL=debug shows where a failure came from, and still no password', async () => {
  const env = { MONGODB_URL: 'mongodb://root:sesame@127.0.0.1:1/', NATS_URL: inject('natsUrl'), LOG_LEVEL: 'debug' }
  const { err } = await startHere({ ...env, DATA_DIR: temporaryDir() })
  expect(err).toMatch(/^Error: MongoDB .*\n {4}at [\s\S]*\nCaused by: MongoServerSelectionError: /)
  expect(err).not.toContain('sesame')
})

const PLACES = 'must be a whole number from 1 to 500\n'

test.each([
  [COORDINATOR, ['--bogus'], "Unknown option '--bogus'"],
  ['deploy/demo/main.ts', ['--places', '501'], `--places: ${PLACES}`],
])('%s %j is wrong usage: 2, the fault and how it is written on stderr', async (script, args, fault) => {
  const { code, out, err } = await runProgram(script, args, { DATA_DIR: join(temporaryDir(), 'data') })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/npm run|npm start/)
  expect(err.startsWith(fault)).toBe(true)
  expect(err).not.toMatch(/\n {4}at |To specify a positional/)
})
