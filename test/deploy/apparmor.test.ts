import { readFileSync } from 'node:fs'
import { join, matchesGlob, resolve } from 'node:path'
import { expect, test } from 'vitest'

const DEPLOY = resolve(import.meta.dirname, '../../deploy')
const profile = readFileSync(join(DEPLOY, 'apparmor/placefleet-chromium'), 'utf8')
const [, attachedTo = ''] = /^profile placefleet-chromium (\S+)/m.exec(profile) ?? []

/** Where a unit keeps its cache. With `DynamicUser`, /var/cache/NAME is a link to /var/cache/private/NAME. */
const cacheOf = (unit: string) => {
  const [, cache = ''] = /XDG_CACHE_HOME=(\S+)/.exec(readFileSync(join(DEPLOY, 'systemd', unit), 'utf8')) ?? []
  return cache.replace('/var/cache/', '/var/cache/private/')
}

test.each([
  ['a user', '/home/ada/.cache'],
  ['placefleet.service', cacheOf('placefleet.service')],
  ['placefleet-agent.service', cacheOf('placefleet-agent.service')],
])('the profile for AppArmor is for the Chromium that $0 unpacks', (_who, cache) => {
  expect(matchesGlob(join(cache, 'placefleet', 'chromium-153.0.0', 'chromium'), attachedTo)).toBe(true)
})
