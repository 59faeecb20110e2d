import { ALLOW_NONE, checkTarget, parseAllowHosts } from '@placefleet/shared/egress/target'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { FORBIDDEN_HOSTS, PUBLIC_HOSTS } from './addresses.ts'

describe('a target inside', () => {
  test.each(FORBIDDEN_HOSTS)('%j is refused as URL and as host', (host) => {
    expect(checkTarget(`https://${host}/x`, ALLOW_NONE).ok).toBe(false)
    expect(checkTarget(`http://user:pw@${host}:8080`, ALLOW_NONE).ok).toBe(false)
    expect(checkTarget({ host, port: 1080 }, ALLOW_NONE).ok).toBe(false)
  })
})

describe('a public target', () => {
  test.each(PUBLIC_HOSTS)('%s passes as URL and as host', (host) => {
    expect(checkTarget(`https://${host}/x`, ALLOW_NONE)).toMatchObject({ ok: true, port: 443, allowed: false })
    expect(checkTarget(`http://${host}/x`, ALLOW_NONE)).toMatchObject({ ok: true, port: 80 })
    expect(checkTarget({ host, port: 1080 }, ALLOW_NONE)).toMatchObject({ ok: true, port: 1080 })
  })

  test('is normalised, so that the connection uses the checked address', () => {
    expect(checkTarget('https://Example.COM.:8443/', ALLOW_NONE)).toEqual({
      ok: true,
      host: 'example.com',
      port: 8443,
      literal: false,
      allowed: false,
    })
    expect(checkTarget('https://[2606:4700:4700:0::1111]/', ALLOW_NONE)).toMatchObject({
      host: '2606:4700:4700::1111',
      literal: true,
    })
  })
})

describe('not a web target', () => {
  test.each([
    ['', 'invalid_url'],
    ['http://', 'invalid_url'],
    ['not a url', 'invalid_url'],
    ['/path', 'invalid_url'],
    ['https://exa mple.com', 'invalid_url'],
    ['https://example.com:99999', 'invalid_url'],
    ['https://example.com:0', 'invalid_url'],
    ['https://[::1%25eth0]/', 'invalid_url'],
    ['https://1.2.3.4.5/', 'invalid_url'],
    ['gopher://example.com', 'scheme'],
    ['ftp://example.com', 'scheme'],
    ['ftp://example.com:443', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['ws://example.com', 'scheme'],
    ['https:127.0.0.1', 'loopback'],
    ['https:\\\\127.0.0.1\\', 'loopback'],
    ['https://example.com@127.0.0.1/', 'loopback'],
    ['https://127.0.0.1#@example.com', 'loopback'],
    ['https://127.0.0.1\\@example.com', 'loopback'],
  ])('%j is refused: %s', (url, reason) => {
    expect(checkTarget(url, ALLOW_NONE)).toEqual({ ok: false, reason })
  })

  test.each(['a/b', 'a?b', 'a#b', 'x@127.0.0.1', '127.0.0.1\\x', '[::1]:80', '[::1]x', 'a:80', '', '.', '[', '::g'])(
    'host %j is refused',
    (host) => {
      expect(checkTarget({ host, port: 80 }, ALLOW_NONE)).toEqual({ ok: false, reason: 'invalid_url' })
    },
  )

  test.each([0, -1, 1.5, 65_536, Number.NaN])('port %d is refused', (port) => {
    expect(checkTarget({ host: 'example.com', port }, ALLOW_NONE).ok).toBe(false)
  })
})

describe('an exemption', () => {
  const allow = parseAllowHosts(' 127.0.0.1:8080, NAS.local , [::1]:9000,fd12::1 ,')

  test.each([
    'http://127.0.0.1:8080/',
    'http://2130706433:8080/',
    'http://nas.local/',
    'https://nas.local:8443/',
    'http://[::1]:9000/',
    'http://[fd12::1]:1/',
  ])('admits %s', (url) => {
    expect(checkTarget(url, allow)).toMatchObject({ ok: true, allowed: true })
  })

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:8081/',
    'http://127.0.0.2:8080/',
    'http://localhost:8080/',
    'http://x.nas.local/',
    'http://[::1]:9001/',
    'http://[::ffff:127.0.0.1]:8080/',
  ])('does not admit %s', (url) => {
    expect(checkTarget(url, allow).ok).toBe(false)
  })

  test('an empty list exempts nothing', () => {
    expect(parseAllowHosts('')).toEqual(ALLOW_NONE)
    expect(parseAllowHosts(' , ')).toEqual(ALLOW_NONE)
  })

  test.each(['http://nas', 'nas:0', 'nas:99999', 'nas:http', 'a b', '10.0.0.0/8', 'u@nas', '[::1'])(
    '%j stops the start, naming it',
    (entry) => {
      expect(() => parseAllowHosts(`ok.de,${entry}`)).toThrow(entry)
    },
  )
})

test('any text is judged without throwing, and no spelling of a loopback address passes', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  const spelled = fc
    .tuple(fc.constant(127), octet, octet, octet)
    .chain((octets) =>
      fc.tuple(
        ...octets.map((value) => fc.constantFrom(`${value}`, `0x${value.toString(16)}`, `0${value.toString(8)}`)),
      ),
    )
  fc.assert(
    fc.property(spelled, (parts) => {
      expect(checkTarget(`http://${parts.join('.')}/`, ALLOW_NONE).ok).toBe(false)
    }),
  )
  fc.assert(fc.property(anyText(), (text) => typeof checkTarget(text, ALLOW_NONE).ok === 'boolean'))
  fc.assert(fc.property(anyText(), (host) => typeof checkTarget({ host, port: 1 }, ALLOW_NONE).ok === 'boolean'))
})
