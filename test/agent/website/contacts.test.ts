import { contactsOf, mergeContacts } from '@placefleet/agent/website/contacts'
import { readPage } from '@placefleet/agent/website/page'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'

const PAGE_URL = new URL('https://www.shop.de/')
const contactsIn = (html: string) => contactsOf(readPage(html), PAGE_URL)
const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join('')

describe('a social profile is found', () => {
  test.each([
    ['https://www.facebook.com/shop.berlin', { facebook: 'https://www.facebook.com/shop.berlin' }],
    ['//de-de.facebook.com/shop/?ref=bookmarks#top', { facebook: 'https://de-de.facebook.com/shop/' }],
    ['https://www.facebook.com/profile.php?id=100', { facebook: 'https://www.facebook.com/profile.php?id=100' }],
    ['https://instagram.com/shop?igsh=abc', { instagram: 'https://instagram.com/shop' }],
    ['https://twitter.com/shop', { x: 'https://twitter.com/shop' }],
    ['https://x.com/shop', { x: 'https://x.com/shop' }],
    ['https://www.linkedin.com/company/shop', { linkedin: 'https://www.linkedin.com/company/shop' }],
    ['https://www.youtube.com/@shop', { youtube: 'https://www.youtube.com/@shop' }],
    ['https://www.tiktok.com/@shop', { tiktok: 'https://www.tiktok.com/@shop' }],
    ['https://www.pinterest.de/shop', { pinterest: 'https://www.pinterest.de/shop' }],
    ['https://wa.me/4930123', { whatsapp: 'https://wa.me/4930123' }],
    ['https://api.whatsapp.com/send?phone=4930123', { whatsapp: 'https://api.whatsapp.com/send?phone=4930123' }],
    ['https://t.me/shop', { telegram: 'https://t.me/shop' }],
    ['https://www.youtube.com/@shop/videos', { youtube: 'https://www.youtube.com/@shop/videos' }],
    ['https://www.facebook.com/shop/photos', { facebook: 'https://www.facebook.com/shop/photos' }],
    ['https://bsky.app/profile/shop.de', { bluesky: 'https://bsky.app/profile/shop.de' }],
    ['https://line.me/R/ti/p/@shop', { line: 'https://line.me/R/ti/p/@shop' }],
    ['https://vimeo.com/user123', { vimeo: 'https://vimeo.com/user123' }],
    [
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.instagram.com%2Fshop%2F%3Ffbclid%3Dx&h=AT1',
      { instagram: 'https://www.instagram.com/shop/' },
    ],
    ['https://vk.com/shop', { vk: 'https://vk.com/shop' }],
    [
      'https://www.facebook.com/share/16AbCdEfGh/?mibextid=wwXIfr',
      { facebook: 'https://www.facebook.com/share/16AbCdEfGh/' },
    ],
    ['https://m.me/shop', { facebook: 'https://m.me/shop' }],
    ['https://www.messenger.com/t/shop', { facebook: 'https://www.messenger.com/t/shop' }],
    ['https://www.facebook.com/p/Shop-1000640/', { facebook: 'https://www.facebook.com/p/Shop-1000640/' }],
    [
      'https://www.facebook.com/login/?next=https%3A%2F%2Fwww.facebook.com%2Fshop%2F',
      { facebook: 'https://www.facebook.com/shop/' },
    ],
    ['https://ig.me/m/shop', { instagram: 'https://ig.me/m/shop' }],
    ['https://www.instagram.com/accounts/login/?next=/shop/', { instagram: 'https://www.instagram.com/shop/' }],
    ['https://twitter.com/intent/follow?screen_name=shop', { x: 'https://twitter.com/shop' }],
    ['https://x.com/intent/user?screen_name=shop', { x: 'https://x.com/shop' }],
    ['https://lnkd.in/eAbC12', { linkedin: 'https://lnkd.in/eAbC12' }],
    ['https://vm.tiktok.com/ZMabc12/', { tiktok: 'https://vm.tiktok.com/ZMabc12/' }],
    ['https://pin.it/4abCde', { pinterest: 'https://pin.it/4abCde' }],
    ['https://wa.me/message/ABCDEF1', { whatsapp: 'https://wa.me/message/ABCDEF1' }],
    ['https://vk.me/shop', { vk: 'https://vk.me/shop' }],
    ['https://lin.ee/AbCdE', { line: 'https://lin.ee/AbCdE' }],
    ['https://www.snapchat.com/add/shop', { snapchat: 'https://www.snapchat.com/add/shop' }],
  ])('behind %s: %o', (href, social_links) => {
    expect(contactsIn(links(href)).social_links).toEqual(social_links)
  })

  test('in the box of a network', () => {
    const box = 'https://www.facebook.com/plugins/page.php?href=https%3A%2F%2Fwww.facebook.com%2Fshop%2F&tabs=timeline'
    expect(contactsIn(`<iframe src="${box}"></iframe>`).social_links).toEqual({
      facebook: 'https://www.facebook.com/shop/',
    })
  })

  test('relative to the page’s base', () => {
    const html = `<base href="https://www.facebook.com/">${links('shop')}`
    expect(contactsIn(html).social_links).toEqual({ facebook: 'https://www.facebook.com/shop' })
  })

  test('in JSON-LD, and the first one of a network wins', () => {
    const html = `<script type="application/ld+json">{"sameAs":["https://www.instagram.com/jsonld","https://x.com/shop"]}</script>
      ${links('https://www.instagram.com/first', 'https://www.instagram.com/second')}`
    expect(contactsIn(html).social_links).toEqual({
      instagram: 'https://www.instagram.com/first',
      x: 'https://x.com/shop',
    })
  })
})

describe('no profile', () => {
  test.each([
    'https://www.facebook.com/',
    'https://www.facebook.com/sharer/sharer.php?u=https://shop.de',
    'https://www.facebook.com/tr?id=1',
    'https://www.facebook.com/share/p/16AbCdEfGh/',
    'https://www.facebook.com/share/v/16AbCdEfGh/',
    'https://www.facebook.com/share/r/16AbCdEfGh/',
    'https://www.facebook.com/share.php?u=https://shop.de',
    'https://www.facebook.com/login/?next=https%3A%2F%2Fwww.facebook.com%2Fsharer.php',
    'https://www.instagram.com/accounts/login/',
    'https://line.me/R/msg/text/?x',
    'https://social-plugins.line.me/lineit/share?url=x',
    'https://x.com/intent/post?text=x',
    'https://wa.me/?text=x',
    'https://www.facebook.com/wix',
    'https://twitter.com/intent/tweet?text=x',
    'https://x.com/share?url=x',
    'https://www.linkedin.com/shareArticle?url=x',
    'https://www.youtube.com/watch?v=x',
    'https://www.youtube.com/embed/x',
    'https://www.instagram.com/p/abc',
    'https://www.pinterest.com/pin/create/button/?url=x',
    'https://api.whatsapp.com/send?text=x',
    'https://t.me/share/url?url=x',
    'https://youtu.be/abc',
    'https://www.youtube.com/live/abc',
    'https://vimeo.com/12345',
    'https://x.com/shop/status/1',
    'https://www.tiktok.com/@shop/video/1',
    'https://www.instagram.com/shop/p/abc',
    'https://www.facebook.com/shop/posts/1',
    'https://bsky.app/profile/shop.de/post/1',
    'https://connect.ok.ru/offer?url=x',
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.shop.de%2F',
    'https://l.facebook.com/l.php?u=',
    'https://myfacebook.com/shop',
    'https://facebook.com.shop.de/x',
    'mailto:x@facebook.com',
    'javascript:void(0)',
    'https://[',
    '',
  ])('is %s', (href) => {
    expect(contactsIn(links(href)).social_links).toEqual({})
  })
})

describe('telephone numbers', () => {
  test.each([
    [links('tel:+49 30 123456'), ['+49 30 123456']],
    [links('TEL:+49-30-123456;ext=5'), ['+49-30-123456']],
    [links('tel://030%20123456'), ['030 123456']],
    [links('tel:+4930123456', 'tel:+49 (30) 123-456', 'tel:004930123456'), ['+4930123456']],
    [links('callto:+4930123456'), ['+4930123456']],
    ['<script type="application/ld+json">{"telephone":"+49 30 1","faxNumber":"+49 30 9"}</script>', ['+49 30 1']],
    [links('tel:', 'tel:call', 'tel:12', 'tel:1234567890123456', 'tel:javascript'), []],
    [links('tel:+972\u20113\u2011123'), ['+972-3-123']],
    [links('tel:%E2%80%8E+4930\u200b123'), ['+4930123']],
    [links('tel:＋４９ ３０ １２３'), ['+49 30 123']],
    [links('tel:+٩٦٦١٢٣', 'tel:+۹۸۲۱۱', 'tel:+๖๖๒๓'), ['+966123', '+98211', '+6623']],
    ['<p>030 123456</p>', []],
  ])('%s gives %j', (html, phones) => {
    expect(contactsIn(html).phones).toEqual(phones)
  })

  test('are limited', () => {
    const html = links(...Array.from({ length: 1_000 }, (_, index) => `tel:030${1_000 + index}`))
    expect(contactsIn(html).phones).toHaveLength(20)
  })
})

test('pages are merged in their order', () => {
  const first = { social_links: { x: 'https://x.com/a' }, phones: ['+49 30 1'] }
  const second = { social_links: { x: 'https://x.com/b', vk: 'https://vk.com/b' }, phones: ['+49301', '+49 30 2'] }
  expect(mergeContacts([first, second])).toEqual({
    social_links: { x: 'https://x.com/a', vk: 'https://vk.com/b' },
    phones: ['+49 30 1', '+49 30 2'],
  })
})

test('a national number gets the country of the place', () => {
  const page = { social_links: {}, phones: ['+49 30 123456', '030 123456', '(030) 12 34 56', '+43 1 123456'] }
  expect(mergeContacts([page], 'DE').phones).toEqual(['+49 30 123456', '+43 1 123456'])
  expect(mergeContacts([page], 'AT').phones).toEqual(['+49 30 123456', '030 123456', '+43 1 123456'])
  expect(mergeContacts([page]).phones).toEqual(['+49 30 123456', '030 123456', '+43 1 123456'])
})

test('any page is read without throwing', () => {
  const links = ['<a href="', 'tel:', 'https://facebook.com/', '">', '%', '//']
  const pieces = fc.constantFrom(...links, '<script type="application/ld+json">', '{"telephone":')
  const texts = fc.array(fc.oneof(pieces, anyText({ maxLength: 5 }))).map((parts) => parts.join(''))
  fc.assert(fc.property(texts, (html) => Array.isArray(contactsIn(html).phones)))
})
