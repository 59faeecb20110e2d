import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { CAUSES } from '@placefleet/shared/path-report'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startAgentProcess } from '../harness/coordinator/processes.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { until } from '../harness/until.ts'
import { volume } from '../harness/volume.ts'

/** A Chromium without one of its libraries, as the loader of the system tells it. */
function chromiumWithoutLibrary(): string {
  const program = join(temporaryDir(), 'chromium')
  const words = `${program}: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file`
  writeFileSync(program, `#!/bin/sh\necho '${words}' >&2\nexit 127\n`, { mode: 0o700 })
  return program
}

const SAYS =
  'Chromium cannot start: the library libnss3.so is missing. Install its libraries (Debian, Ubuntu: sudo npx playwright install-deps chromium; elsewhere ldd lists them).'
const broken = () => ({ CHROMIUM_PATH: chromiumWithoutLibrary(), CHROMIUM_SANDBOX: 'off' })

test('doctor:chromium names what mends a Chromium without a library, and ends with the code of this cause', async () => {
  const { code, out } = await runProgram('agent/doctor/chromium.ts', ['--json'], broken())
  expect(code).toBe(7)
  expect(JSON.parse(out)).toMatchObject({ ok: false, problem: { cause: 'library' }, sandbox: 'off' })
})

test('doctor:chromium starts the Chromium of this machine as an agent does', async () => {
  const env = process.getuid?.() === 0 ? { CHROMIUM_SANDBOX: 'off' } : {}
  const { code, out } = await runProgram('agent/doctor/chromium.ts', ['--json'], env)
  expect({ code, report: JSON.parse(out) }).toMatchObject({
    code: 0,
    report: { ok: true, version: expect.stringMatching(/^\d+\./) },
  })
})

test('doctor:maps says so when only Chromium does not start, unless it is never needed', async () => {
  const site = await startMapSite({ seed: 2, places: 120 })
  onTestFinished(() => site.close())
  const env = { ...broken(), MAPS_BASE_URL: site.url, EXIT_RATE: '0' }
  const { code, out } = await runProgram('agent/doctor/main.ts', ['--json'], env)
  expect(code).toBe(CAUSES.chromium)
  expect(JSON.parse(out)).toMatchObject({
    healthy: false,
    chromium_problem: SAYS,
    conclusion: 'Chromium does not start. Whole searches and places come over: plain HTTP.',
  })
  expect(await runProgram('agent/doctor/main.ts', [], { ...env, COLLECT_RUNG: 'http' })).toMatchObject({ code: 0 })
})

const STARTS: [script: string, settings: Record<string, () => string>][] = [
  ['agent/main.ts', { NATS_URL: () => inject('natsUrl') }],
  ['deploy/standalone/main.ts', {}],
]

test.each(STARTS.slice(0, volume(1, 2)))(
  '%s with COLLECT_RUNG=browser refuses to start without a Chromium that starts',
  async (script, settings) => {
    const given = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value()]))
    const dataDir = {
      DATA_DIR: join(temporaryDir(), 'data'),
      AGENT_TOKEN: 'a long token for all tests',
      LOG_LEVEL: 'silent',
    }
    const { code, err } = await runProgram(script, [], { ...broken(), ...dataDir, ...given, COLLECT_RUNG: 'browser' })
    expect({ code, err }).toEqual({
      code: 1,
      err: `With COLLECT_RUNG=browser an agent can do nothing without Chromium. ${SAYS}\n`,
    })
  },
)

test('an agent says at its start that Chromium does not start, on its terminal and to its coordinator', async () => {
  const world = await startWorld()
  const { grpc } = await addCoordinator(world)
  const agent = startAgentProcess(world, grpc, { ...broken(), COLLECT_RUNG: 'auto' })
  const registry = createAgentRegistry(world.db)
  const problem = await until('the problem is reported', async () => (await registry.list())[0]?.chromium_problem)
  expect(problem).toEqual({ cause: 'library', message: SAYS })
  expect(agent.stderr()).toContain(`Without Chromium the agent uses plain HTTP only. ${SAYS}\n`)
})
