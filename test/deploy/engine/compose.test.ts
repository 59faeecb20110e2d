import { createDemoClient } from '@placefleet/deploy/demo/client'
import { expect, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { until } from '../../harness/until.ts'
import { deployment, hasCompose } from './compose.ts'
import { docker } from './containers.ts'

const PLACES = 60

unlessLacking('docker compose, and the base image', hasCompose).describe('Docker Compose', () => {
  test('without a setting it starts, signs in, and completes a job although every container is killed once', async () => {
    const port = await freePort()
    const { compose, up, kill } = deployment(port, 'compose.demo.yaml')
    const begun = performance.now()
    up()
    const link = compose(
      'exec',
      '-T',
      'coordinator',
      'node',
      'coordinator/operator/main.ts',
      ...['users', 'sign-in-link', '--email', 'owner@localhost.localdomain'],
    )
    expect(link.stdout).toMatch(new RegExp(`http://127\\.0\\.0\\.1:${port}/`))
    const created = compose(
      'exec',
      '-T',
      'coordinator',
      'node',
      'coordinator/operator/main.ts',
      'keys',
      'create',
      '--user',
      'owner@localhost.localdomain',
      '--name',
      'test',
    )
    const key = /svc_\S+/.exec(created.stdout)?.[0] ?? ''
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
    const verified = compose('exec', '-T', 'coordinator', 'node', 'coordinator/operator/main.ts', 'ledger', 'verify')
    expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining(': 0 deviations') })
    console.log(docker('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}').stdout)
  })

  test('two coordinators behind a proxy and five agents are a valid deployment', async () => {
    const { compose } = deployment(await freePort(), 'compose.cluster.yaml')
    expect(compose('config', '-q')).toMatchObject({ status: 0 })
  })
})
