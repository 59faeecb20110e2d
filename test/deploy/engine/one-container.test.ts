import { chownSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDemoClient } from '@placefleet/deploy/demo/client'
import { expect, onTestFinished, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'
import { BASE, buildImage, docker, HARDENED, hasEngine, ROOT, SECCOMP } from './containers.ts'

const TOKEN = 'a-token-that-a-person-has-typed'

/** Runs the image as its page says, on a port of this machine. The container ends with the test. */
async function startContainer(volume: string, options: readonly string[] = []) {
  const page = readFileSync(join(ROOT, 'deploy/images/README.md'), 'utf8')
  const [, line = ''] =
    /^docker run (-d --name placefleet -p 127\.0\.0\.1:8080:8080 .*)$/m.exec(page) ?? expect.fail('no line')
  const port = await freePort()
  const ofPage = line
    .replace('--name placefleet ', '')
    .replace(':8080:', `:${port}:`)
    .replace('placefleet:/data', `${volume}:/data`)
    .split(' ')
    .slice(0, -1)
  const settings = ['-e', `ADMIN_TOKEN=${TOKEN}`, '-e', 'RATE_FREE=100:200']
  const started = docker('run', ...ofPage, ...settings, ...options, buildImage('placefleet'))
  if (started.status !== 0) throw new Error(`the container does not start: ${started.stderr}`)
  const id = started.stdout.trim()
  onTestFinished(() => void docker('rm', '--force', '--volumes', id))
  const url = `http://127.0.0.1:${port}`
  const answers = async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok // it does not listen yet
  await until('the container answers', answers, 120_000).catch(() => {
    throw new Error(`the container does not answer: ${docker('logs', id).stderr.slice(-2_000)}`)
  })
  const exec = (...args: string[]) => docker('exec', id, ...args)
  return { id, url, exec, stop: () => docker('stop', id) }
}

async function firstPlace(url: string, key: string): Promise<string> {
  const client = createDemoClient(url, key)
  const id = await client.create({ name: 'first', keywords: ['cafe'], language: 'en', max_results: 20, demo: true })
  await until('the first place', async () => (await client.job(id)).result_count > 0, 120_000)
  return id
}

unlessLacking(`a container engine, and ${BASE} or another BASE`, hasEngine).describe('one container', () => {
  test('is the whole product: it collects, shows its console, takes ADMIN_TOKEN, and keeps its data', async () => {
    buildImage('placefleet')
    const volume = `placefleet-test-${process.pid}`
    const begun = performance.now()
    const first = await startContainer(volume)
    onTestFinished(() => void docker('volume', 'rm', '--force', volume))
    const key = first.exec('cat', '/data/api-key').stdout.trim()
    const job = await firstPlace(first.url, key)
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
    console.log(`first place ${seconds} s after docker run; ${docker('stats', '--no-stream', first.id).stdout}`)

    expect(first.exec('cat', '/data/sign-in-link').stdout).toMatch(/^http:\/\/127\.0\.0\.1:8080\/console\/#link=/)
    const page = await fetch(`${first.url}/console/claim`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<!doctype html>')
    const claim = () =>
      fetch(`${first.url}/auth/claim`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: first.url },
        body: JSON.stringify({ token: TOKEN }),
      })
    const claimed = await claim()
    expect({ status: claimed.status, cookie: claimed.headers.get('set-cookie') }).toMatchObject({
      status: 204,
      cookie: expect.stringContaining('placefleet_session='),
    })
    expect((await claim()).status).toBe(401)

    first.stop()
    const second = await startContainer(volume, [...HARDENED, ...SECCOMP])
    expect(await createDemoClient(second.url, key).job(job)).toMatchObject({ id: job })
    expect(second.exec('node', 'bin/run.mjs', 'doctor:chromium')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('on, and it works'),
    })
  })

  test('runs as another user with a directory of theirs, as home servers do', async () => {
    const dir = temporaryDir()
    chownSync(dir, 1_000, 1_000)
    const { url, exec } = await startContainer(dir, [...HARDENED, '--user', '1000:1000'])
    await firstPlace(url, exec('cat', '/data/api-key').stdout.trim())
  })
})
