import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { readSettings, SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { expect, onTestFinished, test } from 'vitest'
import { COMPILE_CACHE } from '../harness/servers/run-program.ts'

const MAIN = fileURLToPath(new URL('../../deploy/simulation/main.ts', import.meta.url))

function run(...args: string[]): ChildProcess {
  const env = { ...process.env, ...COMPILE_CACHE }
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function firstLines(child: ChildProcess, count: number): Promise<string[]> {
  if (!child.stdout) throw new Error('no output')
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) if (lines.push(line) === count) break
  return lines
}

test('a city of 100,000 places starts, prints its address first, and stops on a signal', async () => {
  const modes = ['placePages=embed', 'latencyMs={"min":0,"max":5}', 'consent', 'refusalForm=429']
  const child = run('--seed', '3', '--places', '100000', ...modes.flatMap((mode) => ['--set', mode]))
  const [line = ''] = await firstLines(child, 1)
  expect(line).toMatch(/^MAPS_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/)
  const url = line.replace('MAPS_BASE_URL=', '')
  expect(await (await fetch(`${url}/__sim/truth?keyword=restaurants`)).json()).toHaveLength(120)
  expect(await (await fetch(`${url}/__sim/options`)).json()).toMatchObject({
    placePages: 'embed',
    consent: true,
    refusalForm: '429',
    latencyMs: { min: 0, max: 5 },
  })
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('with --https it names the file by which clients trust it', async () => {
  const child = run('--places', '12', '--https')
  const [url = '', file = ''] = await firstLines(child, 2)
  expect(url).toMatch(/^MAPS_BASE_URL=https:/)
  const ca = readFileSync(file.replace('NODE_EXTRA_CA_CERTS=', ''), 'utf8')
  const [response] = await once(get(`${url.replace('MAPS_BASE_URL=', '')}/maps`, { ca }), 'response')
  expect(response.statusCode).toBe(200)
})

test('--help names every mode with its source, and ends', async () => {
  const child = run('--help')
  if (!child.stdout) throw new Error('no output')
  const help = text(child.stdout)
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  for (const [mode, schema] of Object.entries(SiteOptions.shape)) {
    expect(await help).toContain(`\n  ${mode} (`)
    expect(await help).toContain(`seen: ${schema.meta()?.source}`)
  }
})

test.each([
  ['placePages=hide', '--set placePages: '],
  ['blockPlainHttp=always', '--set blockPlainHttp: '],
  ['rateLimit={"requests":0}', '--set rateLimit.requests: '],
  ['colour=red', '--set colour: no such mode; --help lists them'],
])('--set %s is refused with %j', (setting, reason) => {
  expect(() => readSettings([setting])).toThrow(reason)
})

test('a wrong mode is wrong usage: 2, said on stderr', async () => {
  const child = run('--set', 'colour=red')
  if (!child.stderr) throw new Error('no output')
  const [why, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(code).toBe(2)
  expect(why).toContain('--set colour: no such mode')
})
