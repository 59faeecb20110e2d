import { statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { keptSecretsKey, keyInstructions, signInInstructions } from '@placefleet/deploy/standalone/key-files'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { expect, test } from 'vitest'
import { temporaryDir } from '../harness/temporary-dir.ts'

const log = createLogger('test', 'silent')

test('a missing key is created once, readable only for its owner', () => {
  const dir = temporaryDir()
  const first = keptSecretsKey(dir)
  expect(keptSecretsKey(dir)).toEqual(first)
  expect(statSync(join(dir, 'secrets-key')).mode & 0o777).toBe(0o600)
})

test('a directory that can hold no key is said at once, with the settings to change', () => {
  const dir = temporaryDir()
  writeFileSync(join(dir, 'file'), '')
  for (const path of ['/proc/none', join(dir, 'file'), join(dir, 'file', 'data')]) {
    expect(() => keptSecretsKey(path)).toThrow(/^Cannot .* the secrets key .*Set SECRETS_KEY, or set DATA_DIR/)
  }
})

test('only a terminal shows the API key; other outputs get the path of its file', () => {
  const key = { key: 'svc_secret', file: '/srv/placefleet/api-key', made: true }
  expect(keyInstructions(key, true)).toBe('Your API key: svc_secret\nIt is kept in /srv/placefleet/api-key')
  expect(keyInstructions(key, false)).toBe('Your API key is in /srv/placefleet/api-key')
})

test('the printed command for another link names the data directory unless it is the default one', () => {
  const link = { url: 'http://127.0.0.1:8080/console/#link=secret', expires_at: new Date(0) }
  const commandFor = (dataDir: string) => {
    const text = signInInstructions(link, { dataDir, life: createLifecycle(log), isTerminal: true })
    return text.split('another one: ')[1] ?? ''
  }
  expect(commandFor(resolve('data'))).toBe('npm run ops -- users sign-in-link')
  expect(commandFor("/srv/Ada's data")).toBe(`DATA_DIR='/srv/Ada'\\''s data' npm run ops -- users sign-in-link`)
})
