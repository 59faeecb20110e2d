import { contactLinks } from '@placefleet/agent/website/contact-links'
import { readPage } from '@placefleet/agent/website/page'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'

const PAGE_URL = new URL('https://www.shop.de/de/')

function found(html: string): string[] {
  return contactLinks(readPage(html), PAGE_URL).map(({ url, kind }) => `${kind} ${url.pathname}${url.search}`)
}

describe('a page is recognized by the text of its link', () => {
  test.each([
    ['ar', 'اتصل بنا', 'contact'],
    ['bg', 'Контакти', 'contact'],
    ['cs', 'Kontakty', 'contact'],
    ['da', 'Kontakt os', 'contact'],
    ['de', 'Kontakt & Anfahrt', 'contact'],
    ['el', 'Επικοινωνία', 'contact'],
    ['en', 'Contact us', 'contact'],
    ['es', 'Contáctenos', 'contact'],
    ['et', 'Võta ühendust', 'contact'],
    ['fi', 'Ota yhteyttä', 'contact'],
    ['fr', 'Contactez-nous', 'contact'],
    ['he', 'צור קשר', 'contact'],
    ['hr', 'Kontakti', 'contact'],
    ['hu', 'Kapcsolat', 'contact'],
    ['id', 'Hubungi kami', 'contact'],
    ['it', 'Contatti', 'contact'],
    ['ja', 'お問い合わせ', 'contact'],
    ['ko', '문의하기', 'contact'],
    ['lt', 'Kontaktai', 'contact'],
    ['lv', 'Sazināties', 'contact'],
    ['ms', 'Hubungi Kami', 'contact'],
    ['nl', 'Contact', 'contact'],
    ['no', 'Kontakt oss', 'contact'],
    ['pl', 'Napisz do nas', 'contact'],
    ['pt', 'Fale conosco', 'contact'],
    ['ro', 'Contactați-ne', 'contact'],
    ['ru', 'Обратная связь', 'contact'],
    ['sk', 'Napíšte nám', 'contact'],
    ['sl', 'Kontaktni obrazec', 'contact'],
    ['sv', 'Kontakta oss', 'contact'],
    ['th', 'ติดต่อเรา', 'contact'],
    ['tr', 'İletişim', 'contact'],
    ['uk', 'Зв’язок', 'contact'],
    ['vi', 'Liên hệ', 'contact'],
    ['zh', '联系我们', 'contact'],
    ['ar', 'حولنا', 'about'],
    ['bg', 'Свържете се с нас', 'contact'],
    ['cs', 'O společnosti', 'about'],
    ['de', 'So erreichen Sie uns', 'contact'],
    ['el', 'Επικοινωνήστε μαζί μας', 'contact'],
    ['en', 'Who we are', 'about'],
    ['es', 'Escríbenos', 'contact'],
    ['he', 'עלינו', 'about'],
    ['hu', 'Impresszum', 'imprint'],
    ['it', 'Scrivici', 'contact'],
    ['ja', 'コンタクト', 'contact'],
    ['ja', '運営者情報', 'imprint'],
    ['ja', '企業情報', 'about'],
    ['ko', '오시는 길', 'contact'],
    ['ko', '고객센터', 'contact'],
    ['lv', 'Rekvizīti', 'imprint'],
    ['pl', 'O firmie', 'about'],
    ['pt', 'Fale connosco', 'contact'],
    ['ru', 'Свяжитесь с нами', 'contact'],
    ['ru', 'Напишите нам', 'contact'],
    ['tr', 'Kurumsal', 'about'],
    ['uk', 'Зв’язатися з нами', 'contact'],
    ['uk', 'Про компанію', 'about'],
    ['zh', '连络我们', 'contact'],
    ['zh', '公司简介', 'about'],
  ])('in the language %s, %s means %s', (_, text, kind) => {
    expect(found(`<a href="/seite-7">${text}</a>`)).toEqual([`${kind} /seite-7`])
  })
})

describe('the kind of a page', () => {
  test.each([
    ['<a href="/kontaktformular.html">x</a>', ['contact /kontaktformular.html']],
    ['<a href="?page=contact">x</a>', ['contact /de/?page=contact']],
    [`<a href="${encodeURI('/контакты')}">x</a>`, [`contact ${encodeURI('/контакты')}`]],
    ['<a href="/x"><img alt="x"><span>Impressum</span></a>', ['imprint /x']],
    ['<a href="/x"><img src="k.gif" alt="Kontakt"></a>', ['contact /x']],
    ['<a href="/x" aria-label="Impressum"><i></i></a>', ['imprint /x']],
    ['<img alt="Kontakt"><a href="/x">x</a>', []],
    ['<a href="/x" title="Mentions légales">§</a>', ['imprint /x']],
    ['<a href="/hakkimizda">Hakkımızda</a>', ['about /hakkimizda']],
    ['<a href="/x">O nas</a>', ['about /x']],
    ['<a href="/x">Datenschutzerklärung</a>', ['privacy /x']],
    ['<frameset><frame src="main.htm"></frameset>', ['frame /de/main.htm']],
    ['<meta http-equiv="Refresh" content="0; URL=\'/start.html\'">', ['frame /start.html']],
    ['<meta http-equiv="refresh" content="0.5; url=/de/a">', ['frame /de/a']],
    ['<meta http-equiv="refresh" content="0, url=/de/a">', ['frame /de/a']],
    ['<meta http-equiv="refresh" content=" 5 URL = /de/a ">', ['frame /de/a']],
    ['<meta http-equiv="refresh" content="0;/de/a">', ['frame /de/a']],
    ['<meta http-equiv="refresh" content="300"><meta http-equiv="refresh" content="/a">', []],
    ['<a href="/steam">Steam</a><a href="/x">Illegal</a><a href="/produkte">Produkte</a>', []],
    ['<a href="/x">Kontaktlinsen</a><a href="/y">Contact lenses</a><a href="/z">コンタクトレンズ</a>', []],
    ['<a href="/contact-lenses/contact">x</a>', ['contact /contact-lenses/contact']],
    ['<a href="/%ff%fe">x</a>', []],
  ])('%s is %j', (html, kinds) => {
    expect(found(html)).toEqual(kinds)
  })
})

test('the best pages come first, each once, at most five', () => {
  const html = `
    <a href="/datenschutz">Datenschutz</a> <a href="/team">Team</a> <a href="/ueber-uns">Über uns</a>
    <a href="/impressum/">Impressum</a> <a href="https://shop.de/impressum#a">Impressum</a>
    <a href="/kontakt">x</a> <a href="/kontakt?lang=en">Contact</a> <a href="/about">About</a>`
  expect(found(html)).toEqual([
    'contact /kontakt',
    'contact /kontakt?lang=en',
    'imprint /impressum/',
    'about /team',
    'about /ueber-uns',
  ])
})

describe('no link of the site', () => {
  test.each([
    'https://agency.com/kontakt',
    'https://shop.de.agency.com/kontakt',
    'mailto:kontakt@shop.de',
    'tel:kontakt',
    'javascript:kontakt()',
    'ftp://shop.de/kontakt',
    '/kontakt.pdf',
    '#kontakt',
    '',
    'https://[kontakt',
  ])('is %s', (href) => {
    expect(found(`<a href="${href}">Kontakt</a>`)).toEqual([])
  })
})

describe('links are relative to the page’s base', () => {
  test.each([
    ['<base href="https://www.shop.de/"><a href="kontakt.html">Kontakt</a>', 'https://www.shop.de/kontakt.html'],
    ['<base href="/"><a href="?id=5">Kontakt</a>', 'https://www.shop.de/?id=5'],
    ['<base target="_top"><base href="../en/"><a href="contact">x</a>', 'https://www.shop.de/en/contact'],
    ['<base href="/a/"><base href="/b/"><a href="contact">x</a>', 'https://www.shop.de/a/contact'],
    ['<base href="javascript:x"><a href="contact">x</a>', 'https://www.shop.de/de/contact'],
    ['<base href="https://["><a href="contact">x</a>', 'https://www.shop.de/de/contact'],
    [
      '<base href="https://cdn.com/"><a href="/contact">x</a><a href="//shop.de/kontakt">x</a>',
      'https://shop.de/kontakt',
    ],
  ])('%s leads to %s', (html, link) => {
    expect(contactLinks(readPage(html), PAGE_URL).map(({ url }) => url.href)).toEqual([link])
  })
})

test('a subdomain of the site is one, a neighbour at the same builder is not', () => {
  const html = '<a href="https://kontakt.shop.de/">Kontakt</a><a href="https://tulpen.wixsite.com/kontakt">Kontakt</a>'
  expect(contactLinks(readPage(html), PAGE_URL).map(({ url }) => url.host)).toEqual(['kontakt.shop.de'])
  expect(contactLinks(readPage(html), new URL('https://blumen.wixsite.com/'))).toEqual([])
})

describe('takes bounded time:', () => {
  test.each([
    ['a path of slashes', `/kontakt${'/'.repeat(700_000)}x`],
    ['a host of dots', `https://a${'.'.repeat(700_000)}x/kontakt`],
    ['a host of many labels', `https://${'a.'.repeat(350_000)}x/kontakt`],
  ])('reading %s', (_, href) => {
    expect(found(`<base href="${href}"><a href="${href}">Kontakt</a><a href="kontakt">x</a>`)).toEqual([
      'contact /de/kontakt',
    ])
  })
})

test('any page is read without throwing', () => {
  const links = ['<a href="', '/kontakt', '%', '">', 'Kontakt', '</a>']
  const pieces = fc.constantFrom(...links, '<meta http-equiv=refresh content="0;url=', '<frame src=')
  const texts = fc.array(fc.oneof(pieces, anyText({ maxLength: 5 }))).map((parts) => parts.join(''))
  fc.assert(fc.property(texts, (html) => contactLinks(readPage(html), PAGE_URL).length <= 5))
})
