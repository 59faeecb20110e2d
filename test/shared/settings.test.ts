import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { ConfigError, readEnv } from '@placefleet/shared/config'
import { natsServers } from '@placefleet/shared/nats'
import {
  allowHostsSetting,
  integerSetting,
  natsUrlSetting,
  portSetting,
  secret,
  urlSetting,
} from '@placefleet/shared/setting-types'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryDir } from '../harness/temporary-dir.ts'

const SETTINGS = {
  PORT: portSetting(8080),
  SLOTS: integerSetting(4, { min: 1 }),
  BASE: urlSetting().optional(),
  ALLOW: allowHostsSetting(),
}

test('unset and empty variables have their defaults', () => {
  expect(readEnv(SETTINGS, { SLOTS: '', OTHER: 'x' })).toEqual({ PORT: 8080, SLOTS: 4, ALLOW: new Set() })
})

test('every fault is named in one message', () => {
  const wrong = { PORT: '70000', SLOTS: '0', BASE: 'ftp://x', ALLOW: 'a b' }
  const read = () => readEnv(SETTINGS, wrong)
  expect(read).toThrow(ConfigError)
  for (const name of Object.keys(wrong)) expect(read).toThrow(name)
})

test.each([
  ['nats://127.0.0.1:4222', { servers: ['nats://127.0.0.1:4222'] }],
  ['nats://user:p%40ss@host:4222', { servers: ['nats://host:4222'], user: 'user', pass: 'p@ss' }],
  ['nats://token@host:4222', { servers: ['nats://host:4222'], token: 'token' }],
  ['tls://u:p@a:1, tls://b:2', { servers: ['tls://a:1', 'tls://b:2'], user: 'u', pass: 'p', tls: {} }],
])('%s is read with its credentials', (url, servers) => {
  expect(natsServers(url)).toEqual(servers)
})

test.each([
  'nats://coordinator:hunter2@bad host:4222',
  'nats://coordinator:hun#ter2@host:4222',
  'nats://coordinator:hunter2%zz@host:4222',
  'nats://coordinator:hunter2@host:99999',
  'nats://coordinator:hunter2@a:4222,b:4222',
  'nats://',
  'hunter2',
])('a NATS_URL of %s is a fault of the setting, reported without its value', (url) => {
  const failure = failureOf(() => readEnv({ NATS_URL: natsUrlSetting() }, { NATS_URL: url }))
  expect(failure).toBeInstanceOf(ConfigError)
  expect(failure.message).toMatch(/1 wrong setting\(s\):\n {2}NATS_URL: /)
  for (const told of [failure, failureOf(() => natsServers(url))])
    expect(inspect(told)).not.toMatch(/hunter|hun#ter|coordinator:|bad host/)
})

const TOKEN = { TOKEN: z.string().min(4).optional().meta(secret('a token')), PORT: portSetting(1) }

test('a secret setting is read from the file that NAME_FILE names, without its last line break', () => {
  expect(readEnv(TOKEN, { TOKEN_FILE: fileWith('se cret\n') })).toEqual({ TOKEN: 'se cret', PORT: 1 })
})

test('a secret file that is missing, empty or given twice is a fault of NAME_FILE', () => {
  const faults = (env: Record<string, string>) => failureOf(() => readEnv(TOKEN, env)).message
  expect(faults({ TOKEN_FILE: '/none/token', PORT: 'x' })).toMatch(/TOKEN_FILE: .*ENOENT.*\n {2}PORT: /)
  expect(faults({ TOKEN_FILE: fileWith('\n') })).toMatch(/TOKEN_FILE: .* is empty$/)
  expect(faults({ TOKEN_FILE: fileWith('abcd'), TOKEN: 'abcd' })).toMatch(/TOKEN_FILE: TOKEN is set as well/)
})

test('a setting that is not secret is not read from a file', () => {
  expect(readEnv(TOKEN, { PORT_FILE: fileWith('5') }).PORT).toBe(1)
})

function fileWith(text: string): string {
  const dir = temporaryDir()
  writeFileSync(join(dir, 'secret'), text)
  return join(dir, 'secret')
}

function failureOf(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    if (error instanceof Error) return error
  }
  return expect.fail('nothing was thrown')
}
