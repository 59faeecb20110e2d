import { spawn } from 'node:child_process'
import { natsServerProgram } from '@placefleet/deploy/embedded/nats'
import { expect, onTestFinished, test } from 'vitest'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { startCuttableProxy } from '../harness/network/cuttable-proxy.ts'
import { freePort } from '../harness/network/free-port.ts'
import { until } from '../harness/until.ts'
import { runOpsHere } from './operator/commands/run-ops.ts'

/** Starts a NATS server without JetStream, and returns its URL. */
async function startPlainNats(): Promise<string> {
  const port = await freePort()
  const server = spawn(natsServerProgram(process.env), ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  onTestFinished(() => void server.kill('SIGKILL'))
  return `nats://127.0.0.1:${port}`
}

test('on a NATS without JetStream jobs are accepted and wait, and health and the doctor name the part', async () => {
  const world = await startWorld()
  const NATS_URL = await startPlainNats()
  const { client } = await until('NATS listens', () => addCoordinator(world, { NATS_URL }).catch(() => false as const))

  const id = await client.create({ keywords: ['bakery'] })

  await until('health has heard that the queue is down', async () => {
    const { status, body } = await client.call('GET', '/health')
    expect(body).toMatchObject({ status: 'ok', db: 'ok' })
    return status === 200 && (body as { queue?: string }).queue === 'down'
  })
  expect(await client.job(id)).toMatchObject({ status: 'pending' })
  const { code, out } = await runOpsHere(['doctor', '--json'], { MONGODB_URL: world.mongoUrl, NATS_URL })
  const { checks } = JSON.parse(out) as { checks: { name: string; ok: boolean; detail: string }[] }
  expect(code).toBe(1)
  expect(checks.find(({ name }) => name === 'NATS')).toEqual({
    name: 'NATS',
    ok: false,
    detail: expect.stringContaining('JetStream'),
  })
})

test('health says that the database hangs, and at the next question that it is back', async () => {
  const world = await startWorld()
  const { host, search, pathname } = new URL(world.mongoUrl)
  const proxy = await startCuttableProxy(decodeURIComponent(host))
  const mongoUrl = `mongodb://${proxy.address}${pathname}${search}`
  const { client, close } = await addCoordinator({ ...world, mongoUrl })
  const health = async () => (await client.call('GET', '/health')).status
  expect(await health()).toBe(200)

  proxy.freeze()
  await until('the last heartbeat is old', async () => (await health()) === 503)
  proxy.thaw()
  expect(await health()).toBe(200)
  await close() // before the proxy
})
