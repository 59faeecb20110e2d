import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as after } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { createAuthority } from '../../harness/network/certificates.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { listenOnFreePort } from '../../harness/network/serve.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'
import { ROOT } from './containers.ts'

const HOST = 'fleet.example'
const isHere = (program: string, arg: string) => spawnSync(program, [arg]).status === 0

/** Answers /wait after 61 seconds, sends one event on /events and goes on, and elsewhere shows what it was asked. */
async function startUpstream() {
  const server = createServer(async ({ url, headers }, response) => {
    if (url === '/wait') await after(61_000)
    if (url === '/events')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\n')
    response.end(JSON.stringify(headers))
  })
  const { host } = await listenOnFreePort(server)
  return host
}

/** Writes the configuration of a proxy, changed for the test, into a folder. Returns its command. */
type Proxy = (dir: string, upstream: string, port: number) => Promise<readonly [string, ...string[]]>

const caddy: Proxy = async (dir, upstream, port) => {
  const global = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}'
  const config = readFileSync(join(ROOT, 'deploy/proxy/Caddyfile'), 'utf8')
    .replace(`\n${HOST} {`, `\n${global}\n${HOST}:${port} {\n\ttls internal`)
    .replace('127.0.0.1:8080', upstream)
  writeFileSync(join(dir, 'Caddyfile'), config)
  return ['caddy', 'run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile']
}

const nginx: Proxy = async (dir, upstream, port) => {
  const { key, cert } = await (await createAuthority()).issue([HOST])
  writeFileSync(join(dir, 'fullchain.pem'), cert)
  writeFileSync(join(dir, 'privkey.pem'), key)
  const site = readFileSync(join(ROOT, 'deploy/proxy/nginx.conf'), 'utf8')
    .replaceAll(/^ +listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replaceAll(`/etc/letsencrypt/live/${HOST}`, dir)
    .replace('127.0.0.1:8080', upstream)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir};`)
  const config = `daemon off; master_process off; pid ${dir}/pid; error_log stderr; events {} http { access_log off; ${folders.join(' ')} ${site} }`
  writeFileSync(join(dir, 'nginx.conf'), config)
  return ['nginx', '-c', join(dir, 'nginx.conf'), '-e', 'stderr']
}

async function startProxy(proxy: Proxy) {
  const dir = temporaryDir()
  const port = await freePort()
  const [program, ...args] = await proxy(dir, await startUpstream(), port)
  const running = spawn(program, args, { env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir }, stdio: 'ignore' })
  onTestFinished(async () => {
    const gone = once(running, 'exit')
    if (running.kill('SIGKILL')) await gone // on SIGTERM Caddy waits for idle clients
  })
  const ask = async (path: string) => {
    const to = { host: '127.0.0.1', port, path, servername: HOST, headers: { host: HOST } }
    const request = get({ ...to, rejectUnauthorized: false })
    const [response] = await once(request, 'response')
    return response
  }
  const answers = () => ask('/').catch(() => undefined) // it does not listen yet
  await until('the proxy answers', answers, 30_000)
  return ask
}

const PROXIES = [
  ['Caddy', caddy, isHere('caddy', 'version')],
  ['nginx', nginx, isHere('nginx', '-v')],
] as const

describe.each(PROXIES)('the configuration of $0', (name, proxy, isInstalled) => {
  unlessLacking(name, isInstalled).test(
    'waits for an answer after a minute, passes an event on at once, and tells who asks',
    async () => {
      const ask = await startProxy(proxy)
      const waiting = ask('/wait')
      const events = await ask('/events')
      const [event] = await once(events, 'data')
      expect(String(event)).toContain('id: 1')
      events.destroy() // a proxy that stops waits for it
      expect(JSON.parse(await text(await ask('/')))).toMatchObject({
        host: HOST,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'https',
      })
      expect((await waiting).statusCode).toBe(200)
    },
    120_000,
  )
})
