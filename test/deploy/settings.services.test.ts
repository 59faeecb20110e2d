import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAgentConfig } from '@placefleet/agent/config'
import { readConfig } from '@placefleet/coordinator/config'
import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Environment } from '@placefleet/shared/config'
import { expect, test } from 'vitest'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const STANDALONE = 'deploy/standalone/main.ts'

test('npm start refuses wrong settings of its agent together with those of its coordinator', async () => {
  const wrong = {
    PORT: 'x',
    COLLECT_RUNG: 'foo',
    AGENT_CONCURRENCY: 'abc',
    MAPS_BASE_URL: 'foo',
    COORDINATOR_TLS_CA: '/none.pem',
  }
  const dataDir = join(temporaryDir(), 'data')

  const { code, out, err } = await runProgram(STANDALONE, [], { ...wrong, DATA_DIR: dataDir })

  expect({ code, out }).toEqual({ code: 1, out: '' })
  for (const name of Object.keys(wrong)) expect(err).toContain(`\n  ${name}: `)
  expect(existsSync(dataDir)).toBe(false)
})

/** Returns the message for the operator about wrong settings. A program prints it as in the test above. */
function faultsOf(read: (env: Environment) => unknown, env: Environment): string {
  try {
    read(env)
  } catch (error) {
    return reasonOf(error)
  }
  return expect.fail('the settings are right')
}

test('a fault of a setting that both read is reported once', () => {
  const faults = faultsOf(readStandaloneSettings, { EGRESS_ALLOW_HOSTS: 'a b' })
  expect(faults.match(/EGRESS_ALLOW_HOSTS/g)).toHaveLength(1)
})

test('npm start has no settings for the addresses of its agent, except NATS_AGENT_URL', () => {
  const env = { NATS_URL: 'nats://queue', NATS_AGENT_URL: 'queue', COORDINATOR_GRPC: 'ignored', PORT: 'x' }
  expect(faultsOf(readStandaloneSettings, env)).toMatch(/2 wrong setting\(s\):\n {2}PORT: .*\n {2}NATS_AGENT_URL: /)
})

test('npm start does not slow down the owner of the machine like a stranger, unless a setting says so', () => {
  const { config } = readStandaloneSettings({})
  expect(config).toMatchObject({ RATE_FREE: { rate: 50, burst: 100 }, MAX_CONCURRENT_JOBS_FREE: 20 })
  expect(readStandaloneSettings({ RATE_FREE: '2:5' }).config.RATE_FREE).toEqual({ rate: 2, burst: 5 })
})

test('npm start names a wrong LOG_LEVEL beside all other faults', () => {
  const faults = faultsOf(readStandaloneSettings, { LOG_LEVEL: 'loud', PORT: 'x' })
  expect(faults).toContain('  LOG_LEVEL: ')
  expect(faults).toContain('  PORT: ')
})

const NO_NATS_URL = { MONGODB_URL: 'mongodb://127.0.0.1:1/', NATS_URL: 'nats://coordinator:hunter2@bad host:4222' }

test.each([
  ['a coordinator', readConfig, {}],
  ['an agent', readAgentConfig, { AGENT_TOKEN: 'a long token for all tests' }],
  ['npm start', readStandaloneSettings, {}],
])('%s reports an invalid NATS_URL without its password', (_, read, needed) => {
  const faults = faultsOf(read, { ...NO_NATS_URL, ...needed })
  expect(faults).toMatch(/^The environment has 1 wrong setting\(s\):\n {2}NATS_URL: .*$/)
  expect(faults).not.toContain('hunter2')
})

test('npm run services reports a wrong LOG_LEVEL and an invalid NATS_URL together, without its password', async () => {
  const dataDir = join(temporaryDir(), 'data')

  const wrong = { ...NO_NATS_URL, LOG_LEVEL: 'loud', DATA_DIR: dataDir }
  const { code, out, err } = await runProgram('deploy/services.ts', [], wrong)

  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^The environment has 2 wrong setting\(s\):\n/)
  expect(err).toContain('  LOG_LEVEL: ')
  expect(err).toContain('  NATS_URL: ')
  expect(err).not.toContain('hunter2')
  expect(existsSync(dataDir)).toBe(false)
})
