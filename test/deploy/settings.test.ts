import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from './start-services.ts'

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

test('a fault of a setting that both read is told once', async () => {
  const { err } = await runProgram(STANDALONE, [], { EGRESS_ALLOW_HOSTS: 'a b', DATA_DIR: temporaryDir() })
  expect(err.match(/EGRESS_ALLOW_HOSTS/g)).toHaveLength(1)
})

test('what agents connect to is no setting of npm start, but NATS_AGENT_URL is', async () => {
  const env = { NATS_URL: 'nats://queue', NATS_AGENT_URL: 'queue', COORDINATOR_GRPC: 'ignored', PORT: 'x' }
  const { err } = await runProgram(STANDALONE, [], { ...env, DATA_DIR: temporaryDir() })
  expect(err).toMatch(/2 wrong setting\(s\):\n {2}PORT: .*\n {2}NATS_AGENT_URL: /)
})

test.each([
  [STANDALONE, 'PORT', 'x'],
  ['deploy/services.ts', 'MONGODB_URL', 'http://db'],
])('%s names a wrong LOG_LEVEL beside all other faults', async (script, other, value) => {
  const dataDir = join(temporaryDir(), 'data')

  const { code, err } = await runProgram(script, [], { LOG_LEVEL: 'loud', [other]: value, DATA_DIR: dataDir })

  expect(code).toBe(1)
  expect(err).toContain('  LOG_LEVEL: ')
  expect(err).toContain(`  ${other}: `)
  expect(existsSync(dataDir)).toBe(false)
})

test.each([
  ['coordinator/main.ts', {}],
  ['agent/main.ts', { AGENT_TOKEN: 'a token for tests' }],
  ['deploy/services.ts', {}],
  [STANDALONE, {}],
])('%s names a NATS_URL that is none, without its password', async (script, needed) => {
  const env = { MONGODB_URL: 'mongodb://127.0.0.1:1/', NATS_URL: 'nats://coordinator:hunter2@bad host:4222', ...needed }

  const { code, out, err } = await runProgram(script, [], { ...env, DATA_DIR: join(temporaryDir(), 'data') })

  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^The environment has 1 wrong setting\(s\):\n {2}NATS_URL: .*\n$/)
  expect(err).not.toContain('hunter2')
})
