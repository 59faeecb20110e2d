import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { SETTING_NAMES } from '@placefleet/shared/setting-names'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value]) => value)

const TEMPLATES = globSync('deploy/templates/*/*.{yaml,yml,json}', { cwd: ROOT })
const { version } = JSON.parse(read('package.json'))

test('there are templates for five services', () => {
  expect(new Set(TEMPLATES.map((file) => file.split('/')[2])).size).toBe(5)
})

test.each(TEMPLATES)('%s names this release, and builds the image with everything in it', (file) => {
  const text = read(file)
  for (const named of found(text, /placefleet\/placefleet:(\S+)/g)) expect(named).toBe(version)
  for (const dockerfile of found(text, /dockerfilePath"?: "?\.?\/?([\w./-]+)/g)) {
    expect(found(read(dockerfile ?? ''), /^FROM \S+ AS (\S+)$/gm).at(-1)).toBe('placefleet')
  }
})

test.each(TEMPLATES)('%s sets only settings of the product', (file) => {
  const named = found(read(file), /^\s*(?:- (?:key: )?)?([A-Z][A-Z_]{3,})(?:=|: |$)/gm)
  const OF_SERVICES = /^(SERVICE_|APP_HOST|APP_PORT|PROXY_AUTH)/
  const unknown = named.filter((name = '') => !OF_SERVICES.test(name) && !SETTING_NAMES.includes(name))
  expect(unknown).toEqual([])
})
