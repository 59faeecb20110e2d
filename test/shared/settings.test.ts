import { inspect } from 'node:util'
import {
  allowHostsSetting,
  integerSetting,
  natsUrlSetting,
  portSetting,
  readEnv,
  urlSetting,
} from '@placefleet/shared/config'
import { ConfigError } from '@placefleet/shared/config-error'
import { natsServers } from '@placefleet/shared/nats'
import { expect, test } from 'vitest'

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
])('a NATS_URL of %s is a fault of the setting, told without its value', (url) => {
  const failure = failureOf(() => readEnv({ NATS_URL: natsUrlSetting() }, { NATS_URL: url }))
  expect(failure).toBeInstanceOf(ConfigError)
  expect(failure.message).toMatch(/1 wrong setting\(s\):\n {2}NATS_URL: /)
  for (const told of [failure, failureOf(() => natsServers(url))])
    expect(inspect(told)).not.toMatch(/hunter|hun#ter|coordinator:|bad host/)
})

function failureOf(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    if (error instanceof Error) return error
  }
  return expect.fail('nothing was thrown')
}
