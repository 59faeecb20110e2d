import {
  matchesWebsiteFilter,
  parseWebPresenceQuery,
  WEB_PRESENCE_PATTERN,
  WEB_PRESENCE_TIERS,
  WEBSITE_FILTERS,
} from '@placefleet/shared/web-presence/tiers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('a website filter keeps', () => {
  test.each([
    ['all', ['none', 'social', 'directory', 'builder', 'booking', 'has']],
    ['no_website', ['none', 'social', 'directory', 'builder', 'booking']],
    ['has_website', ['has']],
  ] as const)('for %s the tiers %j', (filter, kept) => {
    expect(WEB_PRESENCE_TIERS.filter((tier) => matchesWebsiteFilter(tier, filter))).toEqual(kept)
  })
})

describe('the web_presence parameter', () => {
  test.each([
    ['', [...WEB_PRESENCE_TIERS]],
    ['all', [...WEB_PRESENCE_TIERS]],
    ['social', ['social']],
    ['HAS,None', ['none', 'has']],
    [' builder , booking ', ['builder', 'booking']],
    ['no_website', ['none', 'social', 'directory', 'builder', 'booking']],
    ['Has_Website', ['has']],
    ['social,no_website,social', ['none', 'social', 'directory', 'builder', 'booking']],
    ['social,all', [...WEB_PRESENCE_TIERS]],
    ['social,', ['social']],
  ])('%j asks for %j', (text, tiers) => {
    expect(parseWebPresenceQuery(text)).toEqual({ ok: true, tiers })
  })

  test.each([
    ['website', 'website'],
    ['social,Fancy', 'Fancy'],
    ['social;has', 'social;has'],
    ['__proto__', '__proto__'],
  ])('%j is refused, naming %j', (text, unknown) => {
    expect(parseWebPresenceQuery(text)).toEqual({ ok: false, unknown })
  })

  test('order, case and repetition change nothing', () => {
    const values = fc.array(fc.constantFrom(...WEB_PRESENCE_TIERS, ...WEBSITE_FILTERS), { minLength: 1 })
    fc.assert(
      fc.property(values, (list) => {
        const changed = [...list.toReversed(), ...list].map((value) => value.toUpperCase())
        expect(parseWebPresenceQuery(changed.join(','))).toEqual(parseWebPresenceQuery(list.join(',')))
      }),
    )
  })
})

test('every text of the form in the API document is a list of tiers', () => {
  fc.assert(fc.property(fc.stringMatching(new RegExp(WEB_PRESENCE_PATTERN)), (text) => parseWebPresenceQuery(text).ok))
})
