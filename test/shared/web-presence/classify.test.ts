import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { WEB_PRESENCE_TIERS, type WebPresence } from '@placefleet/shared/web-presence/tiers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { volume } from '../../harness/volume.ts'
import { CASES } from './cases.ts'

describe('a listed website has the tier of the procedure', () => {
  for (const [step, rows] of Object.entries(CASES)) {
    test.each(rows)(`${step}: %j is %s`, (listed, tier) => {
      expect(classifyWebsite(listed)).toMatchObject({ tier })
    })
  }
})

describe('the website of a classification', () => {
  test.each([
    ['the URL as listed', 'https://Shop.de/?utm_source=maps#x', 'https://Shop.de/?utm_source=maps#x'],
    ['a missing scheme is not invented', 'shop.de/kontakt', 'shop.de/kontakt'],
    ['what surrounded it is gone', ' "https://shop.de/?a=1&amp;b=2" ', 'https://shop.de/?a=1&b=2'],
    ['a wrapper gives way to its target', '/url?q=https://shop.de/a&opi=1&sa=U', 'https://shop.de/a'],
    ['an AMP page to its original', 'https://www.google.com/amp/s/shop.de/a?b=1', 'https://shop.de/a?b=1'],
    [
      'a translation to its original without the translator’s parameters',
      'https://www-my--shop-de.translate.goog/a?_x_tr_sl=de&_x_tr_tl=en&id=7',
      'https://www.my-shop.de/a?id=7',
    ],
    ['a URL of the tier none as well', 'https://www.hugedomains.com/x', 'https://www.hugedomains.com/x'],
    ['what is no URL is no website', 'mailto:info@shop.de', undefined],
    ['a redirect to nowhere is none either', '/url?q=', undefined],
  ])('%s: of $1 it is $2', (_, listed, website) => {
    expect(classifyWebsite(listed).website).toBe(website)
  })
})

test('the rule names the deciding step', () => {
  const rules = ['https://m.facebook.com/x', 'https://yelp.de/x', 'https://amazon.de/stores/x', 'https://shop.de', '-']
  expect(rules.map((listed) => classifyWebsite(listed).rule)).toEqual([
    'host:facebook.com',
    'brand:yelp.*',
    'path:amazon.*/stores',
    'own',
    'placeholder',
  ])
})

const listedUrls = fc.constantFrom(
  ...Object.values(CASES)
    .flat()
    .map(([listed]) => listed)
    .filter((listed) => typeof listed === 'string')
    .filter((listed) => /^https:\/\/[a-z0-9.-]+\/[a-z0-9/._-]*$/i.test(listed)),
)

function sameTier(listed: string, changed: string): void {
  expect(classifyWebsite(changed).tier, changed).toBe(classifyWebsite(listed).tier)
}

function hostOf(listed: string): string {
  return new URL(listed).host
}

function randomCase(text: string, flips: readonly boolean[]): string {
  return [...text].map((letter, index) => (flips[index % flips.length] ? letter.toUpperCase() : letter)).join('')
}

describe('the tier does not depend on how a URL is written', () => {
  test('the case of the host', () => {
    fc.assert(
      fc.property(listedUrls, fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), (listed, flips) => {
        sameTier(listed, listed.replace(hostOf(listed), randomCase(hostOf(listed), flips)))
      }),
    )
  })

  test('tracking parameters and fragments', () => {
    const extras = fc.constantFrom('?utm_source=google&utm_medium=organic', '?fbclid=abc', '#kontakt', '?y_source=1_Mg')
    fc.assert(fc.property(listedUrls, extras, (listed, extra) => sameTier(listed, `${listed}${extra}`)))
  })

  test('the default port, a trailing dot, www. and a missing scheme', () => {
    fc.assert(
      fc.property(listedUrls, (listed) => {
        const host = hostOf(listed)
        sameTier(listed, listed.replace(host, `${host}:443`))
        sameTier(listed, listed.replace(host, `${host}.`))
        if (!/^www2?\./.test(host)) sameTier(listed, listed.replace(host, `www.${host}`))
        sameTier(listed, listed.replace('https:', 'http:'))
        sameTier(listed, listed.replace('https://', ''))
      }),
    )
  })

  test('up to three redirects around it', () => {
    const wrap = fc.constantFrom(
      (url: string) => `https://www.google.com/url?q=${encodeURIComponent(url)}&sa=U`,
      (url: string) => `/url?q=${encodeURIComponent(url)}&opi=1`,
      (url: string) => `https://l.facebook.com/l.php?u=${encodeURIComponent(url)}&h=AT0`,
      (url: string) => `https://vk.com/away.php?to=${encodeURIComponent(url)}`,
    )
    fc.assert(
      fc.property(listedUrls, fc.array(wrap, { maxLength: 3 }), (listed, wraps) => {
        // A case that is itself wrapped has one layer less to spare.
        fc.pre(wraps.length < 3 || classifyWebsite(listed).website === listed)
        sameTier(
          listed,
          wraps.reduce((url, around) => around(url), listed),
        )
      }),
    )
  })
})

describe('hostile text', () => {
  test('any string has one of the six tiers', () => {
    const tiers: readonly WebPresence[] = WEB_PRESENCE_TIERS
    const pieces = fc.constantFrom(
      'http',
      's',
      ':',
      '//',
      '\\',
      '@',
      '.',
      '%',
      'www.',
      'google.com/url?q=',
      '[',
      ']',
      '-',
    )
    const texts = fc.oneof(
      anyText({ maxLength: 200 }),
      fc.tuple(fc.domain(), anyText()).map(([host, text]) => `https://${host}/${encodeURIComponent(text)}`),
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 }))).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => tiers.includes(classifyWebsite(text).tier)),
      { numRuns: volume(50, 2_000) },
    )
  })

  test.each([
    ['many labels', `https://${'a.'.repeat(750_000)}de/`],
    ['many dots', `https://a${'.'.repeat(1_500_000)}de/`],
    ['one label too many', `https://${'a.'.repeat(126)}de/`],
  ])('a host of %s is none, at once', (_, listed) => {
    expect(classifyWebsite(listed)).toMatchObject({ tier: 'none', rule: 'host_too_long' })
  })

  test('the longest host there is has a tier', () => {
    expect(classifyWebsite(`https://${'a.'.repeat(125)}com/`)).toMatchObject({ tier: 'has' })
  })

  test('a label of a translated page that is no host names no target', () => {
    expect(classifyWebsite('https://a-999.translate.goog/')).toMatchObject({ tier: 'none' })
  })

  test('other values than strings are not websites', () => {
    expect(classifyWebsite(undefined)).toEqual({ tier: 'none', rule: 'missing' })
  })
})
