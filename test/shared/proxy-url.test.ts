import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import {
  checkProxyUrl,
  formatProxyUrl,
  PROXY_PATTERN,
  PROXY_SCHEMES,
  parseProxyUrl,
  proxyIn,
} from '@placefleet/shared/proxy-url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../harness/any-text.ts'
import { FORBIDDEN_HOSTS, PUBLIC_HOSTS } from './egress/addresses.ts'

describe('a proxy URL is read', () => {
  test.each([
    ['http://proxy.example.com:3128', { scheme: 'http', host: 'proxy.example.com', port: 3128 }],
    ['https://proxy.example.com:443/', { scheme: 'https', host: 'proxy.example.com', port: 443 }],
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
    ['http://u:%ff@a.de:1', { scheme: 'http', host: 'a.de', port: 1, username: 'u', password: '%ff' }],
  ])('%s means $1', (text, proxy) => {
    expect(parseProxyUrl(text)).toEqual({ ok: true, proxy })
  })
})

const SELLER = { scheme: 'http', host: '203.0.113.10', port: 6754, username: 'user1', password: 'pass1' }

describe('a proxy as sellers export it is read', () => {
  test.each([
    ['user1:pass1@203.0.113.10:6754', SELLER],
    ['203.0.113.10:6754@user1:pass1', SELLER],
    ['user1:pass1:203.0.113.10:6754', SELLER],
    ['http://203.0.113.10:6754:user1:pass1', SELLER],
    ['socks5://203.0.113.10:6754:user1:pass1', { ...SELLER, scheme: 'socks5' }],
    ['203.0.113.10\t6754\tuser1\tpass1', SELLER],
    ['203.0.113.10,6754,user1,pass1', SELLER],
    ['203.0.113.10:6754|user1:pass1', SELLER],
    ['203.0.113.10:6754', { scheme: 'http', host: '203.0.113.10', port: 6754 }],
    ['"user1:pass1@203.0.113.10:6754"', SELLER],
    ["'203.0.113.10:6754:user1:pass1',", SELLER],
    ['203.0.113.10:6754:user1:pass1  # fast', SELLER],
    ['\ufeff203.0.113.10:6754:user1:pass1', SELLER],
    ['[2606:4700::1]:1080:user1:pass1', { ...SELLER, host: '2606:4700::1', port: 1080 }],
    [
      'gate.example.com:7000:user-country-de:p:w',
      { ...SELLER, host: 'gate.example.com', port: 7000, username: 'user-country-de', password: 'p:w' },
    ],
    ['203.0.113.10:6754:user1:p#a@s/s?%41\\', { ...SELLER, password: 'p#a@s/s?%41\\' }],
    ['user1:p@ss@203.0.113.10:6754', { ...SELLER, password: 'p@ss' }],
    ['user1:p#s/s@203.0.113.10:6754', { ...SELLER, password: 'p#s/s' }],
    ['user1:1234@203.0.113.10:6754', { ...SELLER, password: '1234' }],
    [
      'a.user:1234@gate.example.com:6754',
      { ...SELLER, host: 'gate.example.com', username: 'a.user', password: '1234' },
    ],
    ['proxy:3128:u:p', { ...SELLER, host: 'proxy', port: 3128, username: 'u', password: 'p' }],
  ])('%s means $1', (text, proxy) => {
    expect(parseProxyUrl(text)).toEqual({ ok: true, proxy })
  })

  test.each([
    ['203.0.113.10:80:gate.example.com:8080', 'two ways'],
    ['203.0.113.10:80:u:p@gate.example.com:8080', 'two ways'],
    ['203.0.113.10', 'no port'],
    ['203.0.113.10:6754:user1', 'port out of range'],
    ['ip:port:username:password', 'port out of range'],
    ['http://user1:pa#ss@proxy.example.com:8080', '"#" in its name or password: write "%23" instead'],
    ['http://user1:pa/ss@proxy.example.com:8080', '"/" in its name or password: write "%2F" instead'],
    ['http://proxy.example.com:8080:user1:pa#ss', '"#" in its name or password: write "%23" instead'],
  ])('%s is refused: it %s', (text, fault) => {
    const parsed = parseProxyUrl(text)
    expect(parsed.ok ? parsed.proxy : parsed.error).toContain(fault)
  })

  test.each(['', '  ', '# my proxies', '// from the seller', '  # x', '""', "''"])('%j holds no proxy', (line) => {
    expect(proxyIn(line)).toBe('')
  })
})

describe('a proxy URL is refused', () => {
  test.each([
    ['', 'host'],
    ['not a url', 'host'],
    ['file:///etc/passwd', 'scheme'],
    ['socks4://a.de:1080', 'scheme'],
    ['http:a.de:3128', 'port'],
    ['javascript:alert(1)', 'port'],
    ['http://', 'host'],
    ['http://:3128', 'host'],
    ['http://[::1:3128', 'host'],
    ['http://a.de', 'port'],
    ['http://a.de:', 'port'],
    ['http://a.de:0', 'out of range'],
    ['http://a.de:65536', 'out of range'],
    ['http://a.de:-1', 'out of range'],
    ['http://a.de:3128/x', 'path'],
    ['http://a.de:3128#x', 'path'],
    ['http://127.0.0.1:80#@a.de:80', '%23'],
    ['http://127.0.0.1:80\\@a.de:80', '%5C'],
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
      expect(checkProxyUrl(`${scheme}://u:p@${host}:8080`, ALLOW_NONE)).toHaveProperty('message')
    }
  })

  test.each(PUBLIC_HOSTS)('outside, at %s, is accepted without a look-up', (host) => {
    for (const scheme of PROXY_SCHEMES)
      expect(checkProxyUrl(`${scheme}://u:p@${host}:8080`, ALLOW_NONE)).toHaveProperty('url')
  })

  test('inside is accepted when exempt', () => {
    const allow = parseAllowHosts('127.0.0.2:3128')
    expect(checkProxyUrl('127.0.0.2:3128:u:p', allow)).toEqual({ url: 'http://u:p@127.0.0.2:3128' })
    expect(checkProxyUrl('http://u:p@127.0.0.2:3129', allow)).toEqual({
      message: expect.stringContaining('EGRESS_ALLOW_HOSTS'),
    })
  })

  test('is never repeated in the message, so no password can leak', () => {
    const urls = [
      'ftp://u:S3cret@a.de:1',
      'http://u:S3cret@a.de',
      'http://u:S3cret@10.0.0.1:1',
      'http://S3cret',
      'S3cret',
      'http://u:S3#cret@a.de:1',
      'u:S3cret@10.0.0.1:1',
      'a.de:1:S3cret.de:2',
    ]
    for (const url of urls)
      expect(checkProxyUrl(url, ALLOW_NONE)).toEqual({ message: expect.not.stringContaining('S3cret') })
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

test('a proxy is the same in each form, whatever its name and password are', () => {
  const words = fc.stringMatching(/^[A-Za-z0-9_+=*!$&~-]{1,20}$/)
  const address = fc.tuple(fc.constantFrom('203.0.113.10', 'gate.example.com'), fc.integer({ min: 1, max: 65_535 }))
  const property = fc.property(address, words, words, ([host, port], username, password) => {
    const proxy = { scheme: 'http', host, port, username, password }
    for (const text of [
      `${host}:${port}:${username}:${password}`,
      `${username}:${password}@${host}:${port}`,
      `http://${username}:${password}@${host}:${port}`,
      `http://${host}:${port}:${username}:${password}`,
      ` "${host}:${port}:${username}:${password}", `,
    ]) {
      expect(parseProxyUrl(text)).toEqual({ ok: true, proxy })
    }
  })
  fc.assert(property)
})

test('any text is judged without throwing', () => {
  fc.assert(fc.property(anyText(), (text) => typeof parseProxyUrl(text).ok === 'boolean'))
  fc.assert(fc.property(anyText(), (text) => typeof parseProxyUrl(`http://${text}`).ok === 'boolean'))
})

test('every URL of the form in the API document is a proxy URL', () => {
  fc.assert(fc.property(fc.stringMatching(new RegExp(PROXY_PATTERN)), (url) => parseProxyUrl(url).ok))
})
