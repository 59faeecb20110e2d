import { createDemoClient } from '@placefleet/deploy/demo/client'
import { startOutsideWorldProcess } from '@placefleet/deploy/simulation/outside-world-process'
import { expect, onTestFinished, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'
import { startServices } from '../start-services.ts'
import { BASE, buildImage, docker, hasEngine, overTcp, runHardened, SECCOMP } from './containers.ts'

const KEY = 'svc_a-key-for-the-test-of-images'
const CITY = 1_440
const isOver = ({ status }: { status: string }) => status === 'completed' || status === 'failed'

unlessLacking(`a container engine, and ${BASE} or another BASE`, hasEngine).describe('the images', () => {
  test('collect in Chromium with its sandbox, without privileges, and continue when the agent is killed', async () => {
    const images = {
      coordinator: buildImage('coordinator'),
      agent: buildImage('agent'),
      http: buildImage('agent-http'),
    }
    console.log(docker('images', '--format', '{{.Repository}}:{{.Tag}} {{.Size}}').stdout)
    for (const [image, library] of [
      [images.coordinator, 'fastify'],
      [images.agent, 'cheerio'],
    ] as const) {
      const { stdout } = docker('run', '--rm', '--entrypoint', 'cat', image, '/app/sbom.json')
      expect(stdout).toContain(`"name": "${library}"`)
    }
    const modules = docker('run', '--rm', '--entrypoint', 'ls', images.coordinator, 'node_modules').stdout.split('\n')
    expect(modules).toContain('fastify')
    expect(modules).not.toContain('maplibre-gl') // the console is built, and needs no packages any more
    const services = await startServices(temporaryDir())
    const world = await startOutsideWorldProcess(CITY, ['trimPlainHttp']) // places are whole only for browsers
    onTestFinished(() => world.stop())
    const [port, grpcPort] = [await freePort(), await freePort()]
    const coordinator = runHardened(images.coordinator, {
      HOST: '127.0.0.1',
      PORT: `${port}`,
      GRPC_PORT: `${grpcPort}`,
      METRICS_PORT: `${await freePort()}`,
      MONGODB_URL: await overTcp(services.mongoUrl),
      NATS_URL: services.natsUrl,
      AGENT_TOKEN: 'a long token for all tests',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_API_KEY: KEY,
      BOOTSTRAP_CREDITS: '100',
      RATE_FREE: '100:200',
      EGRESS_ALLOW_HOSTS: new URL(world.proxyUrl).host,
    })
    const agentEnv = {
      HOST: '127.0.0.1',
      NATS_URL: services.natsAgentUrl,
      AGENT_TOKEN: 'a long token for all tests',
      COORDINATOR_GRPC: `127.0.0.1:${grpcPort}`,
      MAPS_BASE_URL: world.mapsBaseUrl,
      EGRESS_ALLOW_HOSTS: new URL(world.proxyUrl).host,
      EXIT_RATE: '0',
      EXIT_REST_SECONDS: '1',
    }
    const startAgent = async (image: string, options: string[], env = {}) =>
      runHardened(image, { ...agentEnv, METRICS_PORT: `${await freePort()}`, ...env }, options)
    const killed = await startAgent(images.agent, SECCOMP, { COLLECT_RUNG: 'browser' })
    const client = createDemoClient(`http://127.0.0.1:${port}`, KEY)
    const request = { name: 'images', keywords: ['bakery'], language: 'en', max_results: 60, depth: 5 }
    let failure: unknown
    const create = () =>
      client.create({ ...request, proxies: [world.proxyUrl] }).catch((error: unknown) => {
        failure = error
        return undefined
      })
    const id = await until('the coordinator answers', create, 60_000).catch(() => {
      throw new Error(`no job was created: ${failure}\n${docker('logs', coordinator).stderr.slice(-2_000)}`)
    })
    await until('the first places', async () => (await client.job(id)).result_count > 0, 120_000)
    const processes = docker('top', killed, '-eo', 'pid,args').stdout
    expect(processes).toContain('--type=renderer')
    expect(processes).not.toContain('--no-sandbox')

    docker('kill', killed)
    const successor = await startAgent(images.agent, SECCOMP)
    await until('the job ends', async () => (await client.job(id)).status === 'completed', 180_000)

    expect(await client.job(id)).toMatchObject({ result_count: 60, outcomes: { blocked: 0 } })
    const openCity = await startOutsideWorldProcess(CITY, [])
    onTestFinished(() => openCity.stop())
    const withoutChromium = await startAgent(images.http, [], { MAPS_BASE_URL: openCity.mapsBaseUrl })
    for (const container of [coordinator, successor, withoutChromium]) {
      const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', container).stdout.trim()
      await until('the health check passes', () => health() === 'healthy', 60_000)
    }
    console.log(docker('stats', '--no-stream', '--format', '{{.ID}} {{.MemUsage}}').stdout)

    docker('kill', successor)
    const plain = await client.create({ ...request, max_results: 20 })
    await until('the agent without Chromium completes a job', async () => isOver(await client.job(plain)), 120_000)
    expect(await client.job(plain)).toMatchObject({ status: 'completed', result_count: 20 })
  })
})
