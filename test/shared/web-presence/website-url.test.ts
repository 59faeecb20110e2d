import { readWebsite } from '@placefleet/shared/web-presence/website-url'
import { expect, test } from 'vitest'

const hrefOf = (listed: string): string | undefined => {
  const website = readWebsite(listed)
  return website.kind === 'url' ? website.url.href : undefined
}

test.each([
  ['http://a-shop.de/', 'http://a-shop.de/'],
  ['HTTP://a-shop.de', 'http://a-shop.de/'],
  ['https://a-shop.de/', 'https://a-shop.de/'],
  ['http:/a-shop.de', 'http://a-shop.de/'],
  ['https//a-shop.de', 'https://a-shop.de/'],
  ['https://http://a-shop.de', 'http://a-shop.de/'],
  ['http://https://a-shop.de', 'https://a-shop.de/'],
  ['//a-shop.de', 'https://a-shop.de/'],
  ['a-shop.de/kontakt', 'https://a-shop.de/kontakt'],
  ['a-shop.de:8080/kontakt', 'https://a-shop.de:8080/kontakt'],
  ['shop:8080', 'https://shop:8080/'],
  ['shop:65535', 'https://shop:65535/'],
])('%s is visited at %s: a site that is listed without TLS may have none', (listed, href) => {
  expect(hrefOf(listed)).toBe(href)
})

test('a name before a colon and more than five digits is a scheme, not a host', () => {
  expect(readWebsite('shop:655350')).toEqual({ kind: 'none', rule: 'scheme:shop' })
})
