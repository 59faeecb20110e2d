import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import {
  checkProxyUrl,
  formatProxyUrl,
  PROXY_PATTERN,
  PROXY_SCHEMES,
  parseProxyUrl,
} from '@placefleet/shared/proxy-url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../harness/any-text.ts'
import { FORBIDDEN_HOSTS, PUBLIC_HOSTS } from './egress/addresses.ts'

describe('a proxy URL is read', () => {
  test.each([
    ['http://proxy.example.com:3128', { scheme: 'http', host: 'proxy.example.com', port: 3128 }],
    ['https://proxy.example.com:443/', { scheme: 'https', host: 'proxy.example.com', port: 443 }],
    ['http://proxy.example.com:80', { scheme: 'http', host: 'proxy.example.com', port: 80 }],
    ['SOCKS5://Proxy.Example.com.:1080', { scheme: 'socks5', host: 'proxy.example.com', port: 1080 }],
    ['socks5h://[2606:4700::1]:1080', { scheme: 'socks5h', host: '2606:4700::1', port: 1080 }],
    ['socks5://134744072:1080', { scheme: 'socks5', host: '8.8.8.8', port: 1080 }],
    [' http://u@a.de:1 ', { scheme: 'http', host: 'a.de', port: 1, username: 'u' }],
    ['http://u:p@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: 'p' }],
    ['http://u:@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: '' }],
    ['http://@a.de:1', { scheme: 'http', host: 'a.de', port: 1 }],
    ['http://u:p@ss:w@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: 'p@ss:w' }],
    ['http://u:p%40%3A%2F%25@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: 'p@:/%' }],
    ['http://u:100%@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: '100%' }],
    ['http://u:%zz%41@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: '%zzA' }],
    ['http://u:%ff@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: '%ff' }],
    ['http://u-cc-de:pä+ß@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u-cc-de', password: 'pä+ß' }],
  ])('%s means $1', (text, proxy) => {
    expect(parseProxyUrl(text)).toEqual({ ok: true, proxy })
  })
})

describe('a proxy URL is refused', () => {
  test.each([
    ['', 'scheme'],
    ['not a url', 'scheme'],
    ['a.de:3128', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://a.de:21', 'scheme'],
    ['socks4://a.de:1080', 'scheme'],
    ['socks://a.de:1080', 'scheme'],
    ['http:a.de:3128', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['http://', 'host'],
    ['http://:3128', 'host'],
    ['http://u:p@:3128', 'host'],
    ['http://a b:3128', 'host'],
    ['http://[::1:3128', 'host'],
    ['http://a.de', 'port'],
    ['http://a.de:', 'port'],
    ['http://u:p@a.de', 'port'],
    ['http://a.de:0', 'out of range'],
    ['http://u:p@h.de:99999', 'out of range'],
    ['http://a.de:65536', 'out of range'],
    ['http://a.de:-1', 'out of range'],
    ['http://a.de:80a', 'out of range'],
    ['http://a.de:3128/x', 'path'],
    ['http://a.de:3128?x', 'path'],
    ['http://a.de:3128#x', 'path'],
    ['http://127.0.0.1:80#@a.de:80', 'path'],
    ['http://127.0.0.1:80\\@a.de:80', 'path'],
    [`http://u:${'p'.repeat(2_100)}@a.de:1`, 'longer'],
  ])('%s for its %s', (text, part) => {
    const parsed = parseProxyUrl(text)
    expect(parsed.ok).toBe(false)
    expect(parsed.ok ? '' : parsed.error).toContain(part)
  })
})

describe('a proxy of a job', () => {
  test.each(FORBIDDEN_HOSTS)('inside, at %j, is refused', (host) => {
    for (const scheme of PROXY_SCHEMES) {
      expect(checkProxyUrl(`${scheme}://u:p@${host}:8080`, ALLOW_NONE)).toBeTypeOf('string')
    }
  })

  test.each(PUBLIC_HOSTS)('outside, at %s, is accepted without a look-up', (host) => {
    for (const scheme of PROXY_SCHEMES)
      expect(checkProxyUrl(`${scheme}://u:p@${host}:8080`, ALLOW_NONE)).toBeUndefined()
  })

  test('inside is accepted when exempt', () => {
    const allow = parseAllowHosts('127.0.0.2:3128')
    expect(checkProxyUrl('http://u:p@127.0.0.2:3128', allow)).toBeUndefined()
    expect(checkProxyUrl('http://u:p@127.0.0.2:3129', allow)).toContain('EGRESS_ALLOW_HOSTS')
  })

  test('is never repeated in the message, so no password can leak', () => {
    const urls = [
      'ftp://u:S3cret@a.de:1',
      'http://u:S3cret@a.de',
      'http://u:S3cret@10.0.0.1:1',
      'http://S3cret',
      'S3cret',
    ]
    for (const url of urls) expect(checkProxyUrl(url, ALLOW_NONE)).toSatisfy((text: string) => !text.includes('S3cret'))
  })
})

test('the canonical text of a proxy is read back the same, also by the WHATWG parser', () => {
  const proxies = fc.record({
    scheme: fc.constantFrom(...PROXY_SCHEMES),
    host: fc.constantFrom('a.de', '8.8.8.8', '2606:4700::1'),
    port: fc.integer({ min: 1, max: 65_535 }),
    username: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
    password: fc.string({ maxLength: 30, unit: 'grapheme' }),
  })
  fc.assert(
    fc.property(proxies, (proxy) => {
      const text = formatProxyUrl(proxy)
      expect(parseProxyUrl(text)).toEqual({ ok: true, proxy })
      expect(decodeURIComponent(new URL(text).password)).toBe(proxy.password)
    }),
  )
})

test('any text is judged without throwing', () => {
  fc.assert(fc.property(anyText(), (text) => typeof parseProxyUrl(text).ok === 'boolean'))
  fc.assert(fc.property(anyText(), (text) => typeof parseProxyUrl(`http://${text}`).ok === 'boolean'))
})

test('every URL of the form in the API document is a proxy URL', () => {
  fc.assert(fc.property(fc.stringMatching(new RegExp(PROXY_PATTERN)), (url) => parseProxyUrl(url).ok))
})
