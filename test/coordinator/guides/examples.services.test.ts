import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Placefleet } from '@placefleet/client'
import { newSigningSecret, signedHeaders } from '@placefleet/shared/webhooks/signature'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'

const run = promisify(execFile)
const CURL = spawnSync('bash', ['-c', 'command -v curl']).status === 0
const GUIDES = join(import.meta.dirname, '../../../coordinator/guides')

const world = await startWorld(afterAll)
const { url, grpc } = await addCoordinator(world)
await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))

const client = new Placefleet({ url, apiKey: API_KEY })
const { job } = await client.jobs.run({ name: 'a bakery', keywords: ['cafe'], language: 'en' })
const monitor = await client.monitors.create({
  name: 'cafés',
  schedule: { every: '1d' },
  job: { name: 'cafés', keywords: ['cafe'], language: 'en' },
})

/** The examples with curl, by their page. The first one of the API says what the others mean by API, KEY and JSON. */
const examples = ['start', 'api', 'jobs', 'monitors', 'exports', 'webhooks'].flatMap((page) =>
  [...readFileSync(join(GUIDES, `${page}.md`), 'utf8').matchAll(/```sh\n(.*?)```/gs)].flatMap(
    ([, block = ''], index) => (/^curl/m.test(block) ? [{ page, example: index + 1, block }] : []),
  ),
)
const SHARED = /^export .*$/gm
const shared = (examples.find(({ page }) => page === 'api')?.block.match(SHARED) ?? []).join('\n')

/** Other programs are not called. A request that is refused ends the example with what the server says. */
const BEFORE = `set -e
npm() { :; }; npx() { :; }; duckdb() { :; }
curl() { command curl --silent --show-error --fail-with-body --max-time 60 "$@" || { echo "refused: $*"; exit 1; }; }
`

test('the guides have examples to run', () => expect(examples.length).toBeGreaterThan(10))

unlessLacking('bash and curl', CURL).describe('with curl', () => {
  test.each(examples)('example $example of the page $page is accepted by the API', async ({ block }) => {
    const folder = temporaryDir()
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/api-key'), API_KEY)
    writeFileSync(join(folder, 'places.csv'), '0x1:0x2\n')
    const script = `${BEFORE}${shared}\n${block}`
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('MONITOR_ID', monitor.id)
      .replaceAll('JOB_ID', job.id)
    const ended = await run('bash', ['-c', script], { cwd: folder }).catch(({ stdout }) => ({ stdout, refused: true }))
    expect(ended).toEqual({ stdout: expect.any(String), stderr: '' })
  })
})

const RECEIVERS = [
  ['js', 'receiver.mjs', process.execPath, true],
  ['python', 'receiver.py', 'python3', spawnSync('python3', ['--version']).status === 0],
] as const

for (const [language, file, program, isThere] of RECEIVERS) {
  unlessLacking(program, isThere).test(
    `the receiver in ${language} takes genuine events only, and each once`,
    async () => {
      const page = readFileSync(join(GUIDES, 'webhooks.md'), 'utf8')
      const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? []
      const folder = temporaryDir()
      writeFileSync(join(folder, file), code)
      const [port, secret] = [await freePort(), newSigningSecret()]
      const receiver = spawn(program, [file], {
        cwd: folder,
        env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      onTestFinished(async () => {
        receiver.kill()
        await once(receiver, 'exit')
      })
      const seen: string[] = []
      receiver.stdout.on('data', (chunk) => seen.push(String(chunk)))
      const body = Buffer.from('{"event_type":"job.completed"}')
      const send = async (key: string) => {
        const headers = signedHeaders({ id: 'one', unixSeconds: Math.floor(Date.now() / 1_000), body }, [key])
        return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).status
      }

      expect(await until('the receiver answers', () => send(newSigningSecret()).catch(() => undefined))).toBe(401)
      expect([await send(secret), await send(secret)]).toEqual([204, 204])
      await until('the event is printed', () => seen.join('').includes('job.completed'))
      expect(seen.join('').match(/job\.completed/g)).toHaveLength(1)
    },
  )
}
