import { decodeCloudflare } from '@placefleet/agent/website/email-codes'
import { DECODERS } from '@placefleet/agent/website/email-decoders'
import { emailsOf, MAX_EMAILS } from '@placefleet/agent/website/emails'
import { MAX_PAGE_CHARACTERS, MAX_TAGS, readPage } from '@placefleet/agent/website/page'
import { registrableDomain } from '@placefleet/shared/web-presence/host-name'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { volume } from '../../harness/volume.ts'
import { DECODED, PAGES } from './email-pages.ts'

const PAGE_URL = new URL('https://www.shop.de/kontakt')
const emailsIn = (html: string, url: URL) => emailsOf(readPage(html), [registrableDomain(url.hostname)])

describe('the addresses of a page are found', () => {
  for (const [way, rows] of Object.entries(PAGES)) {
    test.each(rows)(`${way}: %s`, (html, emails) => {
      expect(emailsIn(html, PAGE_URL)).toEqual(emails)
    })
  }
})

describe('an address that attributes hide is found on any site', () => {
  test('by each decoder', () => {
    expect(Object.keys(DECODED)).toEqual(Object.keys(DECODERS))
  })

  for (const [decoder, rows] of Object.entries(DECODED)) {
    test.each(rows)(`${decoder}: %s`, (html, emails) => {
      expect(emailsIn(html, new URL('https://www.elsewhere.net/'))).toEqual(emails)
    })
  }
})

test('the scripts of WordPress’s Email Encoder are read', () => {
  const shown = '<a href="mailto:info@shop.de">info@shop.de</a>'
  const code = encodeURIComponent(shown)
  const letters = [...new Set(code)].join('')
  const places = [...code]
    .map((letter) => String.fromCharCode(letters.indexOf(letter) + 48))
    .join('')
    .replaceAll('\\', '\\\\')
  const html = `<script>(function(){var ml="${letters}",mi="${places}",o="";for(var j=0,l=mi.length;j<l;j++){o+=ml.charAt(mi.charCodeAt(j)-48);}document.getElementById("eeb-1").innerHTML=decodeURIComponent(o);}());</script>`
  expect(emailsIn(html, new URL('https://www.elsewhere.net/'))).toEqual(['info@shop.de'])
})

test('the protection of Cloudflare is undone', () => {
  expect(decodeCloudflare('2a43444c456a4f524b475a464f0445584d')).toBe('info@example.org')
  const html = '<a data-cfemail="2a43444c456a4f524b475a464f0445584d">x</a>'
  expect(emailsIn(html, new URL('https://example.org/'))).toEqual(['info@example.org'])
  expect(emailsIn(html, PAGE_URL)).toEqual([])
})

test('the site’s own domain comes first, then free mail, then others; each address once', () => {
  const html = `<p>info@agency.com shop@gmail.com Info@SHOP.de old@yahoo.co.uk sales@mail.shop.de INFO@shop.de</p>
    <a href="mailto:shop@GMAIL.com">x</a>`
  expect(emailsIn(html, PAGE_URL)).toEqual([
    'info@shop.de',
    'sales@mail.shop.de',
    'shop@gmail.com',
    'old@yahoo.co.uk',
    'info@agency.com',
  ])
})

test('customers of a builder or a registry do not own each other’s addresses', () => {
  const html = '<p>a@tulpen.de.com shop@gmail.com b@blumen.de.com</p>'
  expect(emailsIn(html, new URL('https://www.blumen.de.com/'))).toEqual([
    'b@blumen.de.com',
    'shop@gmail.com',
    'a@tulpen.de.com',
  ])
})

test('a site on a private suffix may have addresses there', () => {
  const html = '<p>info@blumen.test x@other.test</p>'
  expect(emailsIn(html, new URL('http://www.blumen.test:8080/'))).toEqual(['info@blumen.test'])
})

describe('a hostile page', () => {
  const length = volume(100_000, 1_500_000)
  const nested = volume(20_000, 250_000)
  const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length))
  const pages: [name: string, html: string][] = [
    ['megabytes of a@a.', 'a@a.'.repeat(volume(100_000, 12_500_000))],
    ['many addresses of one host', fill('a@a.de ')],
    [
      'many addresses',
      Array.from({ length: volume(20_000, 100_000) }, (_, index) => `u${index}@x${index}.com`).join(' '),
    ],
    ['elements nested without end', '<b>'.repeat(nested)],
    ['half of them closed wrongly', `${'<b>'.repeat(nested / 4)}${'</i>'.repeat(nested / 4)}`],
    ['links nested', '<a href=x>'.repeat(nested)],
    ['formatting elements that differ', Array.from({ length: nested }, (_, index) => `<b i=${index}>`).join('')],
    ['attributes without end', `<a ${fill('a=b ')}`],
    ['brackets', fill('[ at ] ')],
    ['sentences', fill('info at a.de\n')],
    ['spaces behind a label', fill(':   info at a.de  ')],
    ['short signs', fill('a (a) ')],
    ['signs in words', fill('a arroba b punto ')],
    ['spaces', fill('[   ')],
    ['at and dot', `info@${fill('a dot ')}`],
    ['one endless word', fill('a')],
    ['hosts of many labels', fill(`a@${'a.'.repeat(120)}a `)],
    ['letters that grow when normalised', fill('\ufdfa')],
    ['string parts', `<script>${fill('"+"')}</script>`],
    ['statements', `<script>${fill("'; a = a + ")}</script>`],
    ['escapes', `<script>${fill('\\\\u{40')}</script>`],
    ['style rules', `<style>${fill('.a{')}</style>`],
    ['broken lists of JSON', `<script type="application/ld+json">${fill('"email":["a", ')}</script>`],
    [
      'broken JSON of many',
      `<script type="application/ld+json">${fill(`"email":[${'"abc",'.repeat(300)}],`)}</script>`,
    ],
    ['assignments', `<script>${fill('a="b";')}</script>`],
    [
      'constants',
      `<script>${Array.from({ length: volume(20_000, 90_000) }, (_, index) => `a${index}="b"+a`).join(';')}</script>`,
    ],
    ['sums', `<script>a="${'b'.repeat(100)}";${fill('a+')}</script>`],
    ['lists', `<script>${fill(`['a',`)}</script>`],
    ['long lists', `<script>[${fill(`'a' , `)}</script>`],
    ['character codes', `<script>${fill('fromCharCode(0x69,')}</script>`],
    ['JSON nested deep', `<script type="application/ld+json">${fill('[')}</script>`],
    [
      'JSON nested deep and closed',
      `<script type="application/ld+json">${'['.repeat(length / 2)}${']'.repeat(length / 2)}</script>`,
    ],
    ['protected links', fill(`<a href="javascript:linkTo_UnCryptMailto('${'x'.repeat(400)}')">`)],
  ]

  test('is read up to a number of characters, and no further', () => {
    expect(emailsIn('a@shop.de'.padStart(MAX_PAGE_CHARACTERS), PAGE_URL)).toEqual(['a@shop.de'])
    expect(emailsIn(`${' '.repeat(MAX_PAGE_CHARACTERS)}a@shop.de`, PAGE_URL)).toEqual([])
  })

  test('is read up to a number of tags, and no further', () => {
    const behind = (tags: number) => emailsIn(`${'<br>'.repeat(tags)}a@shop.de<br>b@shop.de`, PAGE_URL)
    expect(behind(MAX_TAGS - 1)).toEqual(['a@shop.de', 'b@shop.de'])
    expect(behind(MAX_TAGS)).toEqual(['a@shop.de'])
  })

  test.each(pages)('of %s is read to the end', (_, html) => {
    expect(emailsIn(html, PAGE_URL).length).toBeLessThanOrEqual(MAX_EMAILS)
  })

  test('of any text is read without throwing', () => {
    const links = ['<a href="', 'mailto:', '">', '@', '.', 'shop', '.de', '&#', ';']
    const pieces = fc.constantFrom(...links, '<script>', '</', '[at]', '%', '<b', '<!--')
    const texts = fc.oneof(
      anyText({ maxLength: 300 }),
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 60 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (html) => {
        for (const email of emailsIn(html, PAGE_URL)) expect(email).toMatch(/^[^@\s]{1,64}@[^@\s]+\.[^@\s.]+$/)
      }),
      { numRuns: volume(20, 2_000) },
    )
  })
})

test('an address is found in every form', () => {
  const locals = fc.stringMatching(/^[a-z][a-z0-9]{0,10}(?:[.-][a-z0-9]{1,8})?$/)
  const wrap = fc.constantFrom(
    (email: string) => `<a href="mailto:${encodeURIComponent(email)}?subject=x">x</a>`,
    (email: string) => `<p>Mail: ${email}</p>`,
    (email: string) => `<p>${[...email].map((letter) => `&#${letter.charCodeAt(0)};`).join('')}</p>`,
    (email: string) => `<p>${email.replace('@', ' [at] ').replaceAll('.', ' [dot] ')}</p>`,
    (email: string) => `<p>${[...email].join('\u200b')}</p>`,
    (email: string) => `<bdo dir="rtl">${[...email].reverse().join('')}</bdo>`,
    (email: string) => `<script>x = "${[...email].join('" + "')}"</script>`,
    (email: string) => `<script type="application/ld+json">${JSON.stringify({ email })}</script>`,
  )
  fc.assert(
    fc.property(locals, wrap, (local, around) => {
      expect(emailsIn(around(`${local}@shop.de`), PAGE_URL)).toContain(`${local}@shop.de`)
    }),
  )
})
