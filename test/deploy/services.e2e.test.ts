import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { readAgentConfig } from '@placefleet/agent/config'
import { readConfig } from '@placefleet/coordinator/config'
import { connect } from 'nats'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'
import { descendants, isRunning } from '../harness/running-processes.ts'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { mongoClient, natsClient, type Services, startServices } from './start-services.ts'

const IN_TIME = { timeout: 20_000, interval: 20 }

function socketPath(mongoUrl: string): string {
  return decodeURIComponent(new URL(mongoUrl).host)
}

function pidOf(program: string, parent: number): number {
  const found = descendants(parent).find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program))
  return found ?? expect.fail(`${program} does not run`)
}

unlessLacking('Linux', process.platform === 'linux').describe('npm run services', () => {
  /** For the tests that do not end it. */
  const lasting: { dataDir: string; services?: Services } = { dataDir: temporaryDir(afterAll) }
  const ends: (() => Promise<void> | void)[] = []
  const running = (): Services => lasting.services ?? expect.fail('the services have not started')

  beforeAll(async () => {
    lasting.services = await startServices(lasting.dataDir, {}, (end) => ends.push(end))
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('prints both addresses, both answer, a stop leaves nothing running, and a copy of its data starts elsewhere', async () => {
    const dataDir = temporaryDir()
    const services = await startServices(dataDir)
    const kept = mongoClient(services.mongoUrl).db('t').collection('kept')
    await kept.insertOne({ value: 7 })
    const nats = await natsClient(services.natsUrl)
    expect((await (await nats.jetstreamManager()).getAccountInfo()).streams).toBe(0)
    const children = descendants(services.pid)
    expect(children.length).toBeGreaterThanOrEqual(2)
    expect(await services.stop()).toBe(0)
    await vi.waitFor(() => expect(children.filter(isRunning)).toEqual([]), IN_TIME)
    expect(existsSync(dirname(socketPath(services.mongoUrl)))).toBe(false)

    const copy = join(temporaryDir(), 'copy')
    cpSync(dataDir, copy, { recursive: true })
    const restored = await startServices(copy)

    expect(await mongoClient(restored.mongoUrl).db('t').collection('kept').findOne({})).toMatchObject({ value: 7 })
  })

  test('--help explains itself and starts nothing; an unknown option is an error', async () => {
    const dataDir = join(temporaryDir(), 'none')
    const help = await runProgram('deploy/services.ts', ['--help'], { DATA_DIR: dataDir })
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain('MONGODB_URL')
    const wrong = await runProgram('deploy/services.ts', ['--port'], { DATA_DIR: dataDir })
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('--port')
  })

  test('its lines can be pasted into a shell, and name a separate agent user', async () => {
    const services = running()
    const settings = services.printed.filter((line) => !line.startsWith('npm '))
    const script = `${settings.join('\n')}\nprintf '%s\\n%s' "$MONGODB_URL" "$NATS_URL"`
    const pasted = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
    expect(pasted.split('\n')).toEqual([services.mongoUrl, services.natsAgentUrl])
    expect(services.natsAgentUrl).toMatch(/^nats:\/\/agents:/)
    expect(services.mongoUrl).toContain('&')
  })

  test('it prints two whole blocks, one for a coordinator and one for an agent, each with its command', () => {
    const { printed } = running()
    expect(printed.map((line) => line.replace(/='.*'$/, '='))).toEqual([
      '# In the shell of a coordinator:',
      'export MONGODB_URL=',
      'export NATS_URL=',
      'export SECRETS_KEY=',
      'export AGENT_TOKEN=',
      'npm run coordinator',
      '',
      '# In the shell of an agent:',
      'export NATS_URL=',
      'export AGENT_TOKEN=',
      'export COORDINATOR_GRPC=',
      'npm run agent',
    ])
    const env = (lines: string[]) =>
      Object.fromEntries(lines.flatMap((line) => [/^export (\w+)='(.*)'$/.exec(line)?.slice(1) ?? []]))
    const coordinator = readConfig(env(printed.slice(0, 6)))
    const agent = readAgentConfig(env(printed.slice(7)))
    expect(coordinator.SECRETS_KEY).toBe(readFileSync(join(lasting.dataDir, 'secrets-key'), 'utf8'))
    expect(agent).toMatchObject({ AGENT_TOKEN: coordinator.AGENT_TOKEN, COORDINATOR_GRPC: '127.0.0.1:50051' })
  })

  test('a second instance on a directory is refused with the directory and its owner', async () => {
    const { dataDir } = lasting
    const first = running()
    const second = await runProgram('deploy/services.ts', [], { DATA_DIR: dataDir })
    expect(second).toMatchObject({ code: 1, out: '' })
    expect(second.err).toContain(dataDir)
    expect(second.err).toContain(`process ${first.pid}`)
    expect((await mongoClient(first.mongoUrl).db('t').command({ ping: 1 })).ok).toBe(1)
  })

  test('kill -9 of only the program ends its servers; a start right after it waits for their end, has the same URLs, and an open client continues', async () => {
    const dataDir = temporaryDir()
    const first = await startServices(dataDir)
    const client = await natsClient(first.natsUrl)
    const agentUrl = () => readFileSync(join(dataDir, 'nats-agent-url'), 'utf8')
    const agentUrlBefore = agentUrl()
    const children = descendants(first.pid)
    const [nats, engine] = [pidOf('nats-server', first.pid), pidOf('mongo-engine', first.pid)]
    process.kill(nats, 'SIGSTOP')
    first.process.kill('SIGKILL')

    const starting = startServices(dataDir)
    // The new engine answers at the old address: the second start has got as far as NATS.
    await vi.waitFor(() => expect(isRunning(engine)).toBe(false), IN_TIME)
    await mongoClient(first.mongoUrl).db('t').command({ ping: 1 })
    process.kill(nats, 'SIGCONT')
    const second = await starting

    expect(children.filter(isRunning)).toEqual([])
    expect([second.mongoUrl, second.natsUrl]).toEqual([first.mongoUrl, first.natsUrl])
    expect(agentUrl()).toBe(agentUrlBefore)
    expect(second.printed).toEqual(first.printed)
    await vi.waitFor(() => client.rtt(), IN_TIME)
    expect(statSync(join(dataDir, 'nats', 'access.json')).mode & 0o777).toBe(0o600)
    expect(await second.stop()).toBe(0)
  })

  test('NATS moves to another port only if another program has taken its own, and then keeps it', async () => {
    const dataDir = temporaryDir()
    const first = await startServices(dataDir)
    await first.stop()
    const port = Number(new URL(first.natsUrl).port)
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')

    const second = await startServices(dataDir)
    const [before, after] = [new URL(first.natsUrl), new URL(second.natsUrl)]
    expect(after.port).not.toBe(before.port)
    expect(after.password).toBe(before.password)
    await natsClient(second.natsUrl)
    await second.stop()
    other.close()

    expect((await startServices(dataDir)).natsUrl).toBe(second.natsUrl)
  })

  test('acknowledged writes survive kill -9 of everything', async () => {
    const dataDir = temporaryDir()
    const first = await startServices(dataDir)
    const client = mongoClient(first.mongoUrl)
    expect(client.options.writeConcern).toMatchObject({ w: 1, j: true })
    const places = client.db('t').collection<{ _id: number }>('places')
    const nats = await natsClient(first.natsUrl)
    await (await nats.jetstreamManager()).streams.add({ name: 'TASKS', subjects: ['tasks'] })
    const acknowledged: number[] = []
    for (let i = 0; i < 50; i++) {
      await places.insertOne({ _id: i })
      await nats.jetstream().publish('tasks', `${i}`)
      acknowledged.push(i)
    }
    const all = [first.pid, ...descendants(first.pid)]
    for (const pid of all) process.kill(pid, 'SIGKILL')
    await nats.close()

    const second = await startServices(dataDir)
    const stored = await mongoClient(second.mongoUrl).db('t').collection<{ _id: number }>('places').distinct('_id')
    expect(stored.toSorted((a, b) => a - b)).toEqual(acknowledged)
    const after = await natsClient(second.natsUrl)
    const stream = await (await after.jetstreamManager()).streams.info('TASKS')
    expect(stream.state.messages).toBe(acknowledged.length)
    // The sockets of the killed engine are gone: only those in use are left.
    expect(readdirSync(dirname(socketPath(second.mongoUrl))).sort()).toEqual([
      'alive',
      expect.stringMatching(/^embedded-mongodb-/),
      'mongo.sock',
    ])
  })

  test('a killed NATS server restarts at the same address with its messages', async () => {
    const services = running()
    const nats = await natsClient(services.natsUrl)
    await (await nats.jetstreamManager()).streams.add({ name: 'TASKS', subjects: ['tasks'] })
    await nats.jetstream().publish('tasks', 'one')
    const killed = pidOf('nats-server', services.pid)
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(() => expect(pidOf('nats-server', services.pid)).not.toBe(killed), IN_TIME)
    const client = await vi.waitFor(() => natsClient(services.natsUrl), IN_TIME)
    const stream = await (await client.jetstreamManager()).streams.info('TASKS')
    expect(stream.state.messages).toBe(1)
  })

  test('a killed database engine restarts at the same address', async () => {
    const services = running()
    const places = mongoClient(services.mongoUrl).db('t').collection<{ _id: number }>('places')
    await places.insertOne({ _id: 1 })
    process.kill(pidOf('mongo-engine', services.pid), 'SIGKILL')
    await vi.waitFor(async () => expect(await places.countDocuments()).toBe(1), IN_TIME)
  })

  test('NATS refuses a wrong password', async () => {
    const services = running()
    const { host } = new URL(services.natsUrl)
    await expect(connect({ servers: host, user: 'placefleet', pass: 'guess' })).rejects.toMatchObject({
      code: 'AUTHORIZATION_VIOLATION',
    })
    await expect(connect({ servers: host })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' })
  })

  test('servers named in the environment are used as they are', async () => {
    const given = { MONGODB_URL: 'mongodb://db.example/?tls=true', NATS_URL: 'nats://user@queue.example:4222' }
    const services = await startServices(temporaryDir(), given)
    expect([services.mongoUrl, services.natsUrl]).toEqual([given.MONGODB_URL, given.NATS_URL])
    expect(descendants(services.pid)).toEqual([])
  })
})
