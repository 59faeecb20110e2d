import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const MAIN = fileURLToPath(new URL('../../deploy/simulation/map-site/main.ts', import.meta.url))

function run(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const firstLine = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

test('a city of 100,000 places starts, prints its address first, and stops when told to', async () => {
  const child = run('--seed', '3', '--places', '100000', '--vintage', '2023', '--latency', '0-5', '--consent')
  const line = await firstLine(child)
  expect(line).toMatch(/^MAPS_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/)
  const url = line.replace('MAPS_BASE_URL=', '')
  expect(await (await fetch(`${url}/__sim/truth?keyword=restaurants`)).json()).toHaveLength(120)
  expect(await (await fetch(`${url}/__sim/options`)).json()).toMatchObject({
    vintage: '2023',
    consent: true,
    latencyMs: { min: 0, max: 5 },
  })
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('--help explains and ends', async () => {
  const child = run('--help')
  expect(await firstLine(child)).toContain('npm run map-sim')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test.each([['--places', '0'], ['--vintage', '1999'], ['--nonsense']])('%s %s is refused', async (...args) => {
  const [code] = await once(run(...args), 'exit')
  expect(code).toBe(2)
})
