import { setTimeout as sleep } from 'node:timers/promises'
import { createDemoClient } from '@placefleet/deploy/demo/client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { until } from '../../harness/until.ts'
import { type Deployment, deployment, hasCompose } from './compose.ts'
import { docker } from './containers.ts'

const PLACES = 60

/** Requests a minute, in compose.pace.yaml. */
const PACE = 30
const Counters = z.object({ total: z.number() })

/** Makes a key of the first user. */
function newKey(compose: Deployment['compose']): string {
  const ops = ['exec', '-T', 'coordinator', 'node', 'bin/run.mjs', 'ops']
  const { stdout } = compose(...ops, 'keys', 'create', '--user', 'owner@localhost.localdomain', '--name', 'test')
  return /svc_\S+/.exec(stdout)?.[0] ?? ''
}

unlessLacking('docker compose, and its images', hasCompose).describe('Docker Compose', () => {
  test('without a setting it starts, signs in, and completes a job although every container is killed once', async () => {
    const port = await freePort()
    const { compose, up, kill } = deployment(port, 'compose.demo.yaml')
    const begun = performance.now()
    up()
    const ops = ['exec', '-T', 'coordinator', 'node', 'bin/run.mjs', 'ops']
    const link = compose(...ops, 'users', 'sign-in-link', '--email', 'owner@localhost.localdomain')
    expect(link.stdout).toMatch(new RegExp(`http://127\\.0\\.0\\.1:${port}/`))
    const key = newKey(compose)
    const client = createDemoClient(`http://127.0.0.1:${port}`, key)
    const id = await client.create({
      name: 'compose',
      keywords: ['bakery'],
      language: 'en',
      max_results: PLACES,
      depth: 5,
    })
    const count = async () => (await client.job(id).catch(() => undefined))?.result_count ?? 0
    await until('the first places', async () => (await count()) > 0, 180_000)
    console.log(`first place ${((performance.now() - begun) / 1_000).toFixed(1)} s after up`)

    for (const service of ['agent', 'coordinator', 'nats', 'mongo']) {
      kill(service)
      up()
    }
    await until(
      'the job has ended',
      async () => (await client.job(id).catch(() => undefined))?.status === 'completed',
      180_000,
    )

    expect(await client.job(id)).toMatchObject({ result_count: PLACES, outcomes: { blocked: 0 } })
    const verified = compose('exec', '-T', 'coordinator', 'node', 'bin/run.mjs', 'ops', 'ledger', 'verify')
    expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining(': 0 deviations') })
    console.log(docker('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}').stdout)
  })

  test('five agents behind one address together keep the pace of one', async () => {
    const port = await freePort()
    const { compose, up } = deployment(port, 'compose.demo.yaml', '../../test/deploy/engine/compose.pace.yaml')
    up('--scale', 'agent=5')
    const key = newKey(compose)
    const client = createDemoClient(`http://127.0.0.1:${port}`, key)
    const request = { name: 'pace', language: 'en', max_results: 200, depth: 5 }
    for (const keyword of ['bakery', 'cafe', 'hotel', 'florist', 'dentist'])
      await client.create({ ...request, keywords: [keyword] })
    const asked = async () => {
      const program = "fetch('http://127.0.0.1:8090/__sim/requests').then(async (r) => console.log(await r.text()))"
      const { stdout } = compose('exec', '-T', 'city', 'node', '-e', program)
      return Counters.parse(JSON.parse(stdout)).total
    }
    const agents = async () => compose('ps', '-q', 'agent').stdout.trim().split('\n').length === 5
    await until('five agents run', agents, 60_000)
    await until('the first request', async () => (await asked()) > 0, 180_000)
    const before = await asked()
    const begun = performance.now()
    await sleep(60_000) // a rate is a count over a time
    const perMinute = ((await asked()) - before) / ((performance.now() - begun) / 60_000)
    console.log(`five agents sent ${perMinute.toFixed(1)} requests a minute; one may send ${PACE}`)
    expect(perMinute).toBeGreaterThan(PACE / 5) // the machine may be busy
    expect(perMinute).toBeLessThan(PACE * 1.2)
  })

  test('two coordinators behind a proxy are a valid deployment', async () => {
    const { compose } = deployment(await freePort(), 'compose.cluster.yaml')
    expect(compose('config', '-q')).toMatchObject({ status: 0 })
  })
})
