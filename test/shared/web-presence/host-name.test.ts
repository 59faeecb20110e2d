import { hasPublicSuffix, matchesHost, registrableDomain } from '@placefleet/shared/web-presence/host-name'
import { describe, expect, test } from 'vitest'

describe('the registrable domain', () => {
  test.each([
    ['www.shop.de', 'shop.de'],
    ['a.b.shop.co.uk', 'shop.co.uk'],
    ['blumen.wixsite.com', 'blumen.wixsite.com'],
    ['www.blumen.de.com', 'blumen.de.com'],
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['co.uk', 'co.uk'],
  ])('of %s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain)
  })
})

describe('an entry matches on label boundaries', () => {
  test.each([
    ['facebook.com', 'facebook.com', true],
    ['m.facebook.com', 'facebook.com', true],
    ['myfacebook.com', 'facebook.com', false],
    ['docs.google.co.jp', 'docs.google.*', true],
    ['x.docs.google.com', 'docs.google.*', true],
    ['mydocs.google.com', 'docs.google.*', false],
    ['google.com', 'docs.google.*', false],
    ['google.shop.de', 'google.*', false],
    ['com', 'google.*', false],
  ])('%s matches %s: %s', (host, entry, matches) => {
    expect(matchesHost(host, entry)).toBe(matches)
  })
})

test('a delegated suffix is distinguished from a file name', () => {
  expect(['shop.de', 'shop.co.uk', 'logo.png', 'shop.test', 'co.uk', '3.6.0'].map(hasPublicSuffix)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
