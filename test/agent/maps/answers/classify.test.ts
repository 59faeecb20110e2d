import { classifyAnswer } from '@placefleet/agent/maps/answers/classify'
import { consentForms, rejectForm } from '@placefleet/agent/maps/answers/consent'
import { isLimitedView, saysNothingFound } from '@placefleet/agent/maps/search/drawn'
import { describe, expect, test } from 'vitest'
import { capture, expected } from '../captures.ts'

const url = 'https://maps.example/maps/place/x'
const state = (value: unknown) =>
  `<!doctype html><script>window.APP_INITIALIZATION_STATE=${JSON.stringify(value)};window.APP_FLAGS=[1];</script>`
const place = ['0x1:0x2', 'Kafe', null, null, null, null, null, [null, null, 34, 33]]
const stub = `)]}'\n[[${JSON.stringify(place)}]]`
const form = (fields: Record<string, string>, action = '/save') =>
  `<form action="${action}" method="POST">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('')}<button>Wybierz</button></form>`
const consent = `<html><body>${form({ continue: 'https://x.example/?a=1&amp;b=2', set_sc: 'true', set_aps: 'true', set_eom: 'false' })}${form({ continue: 'https://x.example/', set_eom: 'true' })}</body></html>`
const TO_CAPTCHA = '<html><meta http-equiv="refresh" content="0;url=/sorry/index?q=1">'
const TO_CAPTCHA_FROM_PAYLOAD = `<html><a href="/sorry/index?continue=${'%212m1'.repeat(500)}">here</a>`
const ENABLE_SCRIPTS = '<html><noscript><a href="/httpservice/retry/enablejs?sei=1">'
const captcha = '<html><form id="captcha-form" action="index" method="post"></form></html>'

describe('an answer is classified by its URL, then its status, then its body', () => {
  test.each([
    ['a payload', { text: ")]}'\n[1]" }, 'payload'],
    ['a payload behind white space', { text: "\n)]}'\n[1]" }, 'payload'],
    ['a payload without guard', { text: '[[1]]' }, 'payload'],
    ['a wrapped payload', { text: '{"c":0,"d":")]}\'\\n[1]","e":"x","p":true}/*""*/' }, 'payload'],
    ['a drawn list', { text: '<html><div role="feed"></div>' }, 'feed'],
    ['a drawn place', { text: '<html><h1 class="DUwDvf lfPIob">Kafe</h1>' }, 'place'],
    ['a page about a place before it is drawn', { text: state([0, 0, 0, null, 0, [0, 0, 0, [0, 0, place]]]) }, 'place'],
    ['a page with the stub of a place', { text: state([0, 0, 0, [0, 0, 0, 0, 0, stub]]) }, 'page'],
    ['a search page before it is drawn', { text: state([0, 0, 0, null]) }, 'page'],
    ['a consent page, whatever its host', { text: consent }, 'consent'],
    ['the consent host', { url: 'https://consent.google.com/m?continue=x', text: '' }, 'consent'],
    ['a captcha page', { text: captcha }, 'blocked'],
    ['a captcha page with its status', { status: 429, text: captcha }, 'blocked'],
    ['too many requests', { status: 429, text: '' }, 'blocked'],
    ['the address of the captcha', { url: 'https://www.google.com/sorry/index?continue=x', text: '<html>' }, 'blocked'],
    ['a bad request', { status: 400, text: '<html><title>Error 400' }, 'bad_request'],
    ['a refusal', { status: 403, text: '<html>' }, 'refused'],
    ['a missing page', { status: 404, text: '<html>' }, 'not_found'],
    ['a fault of the site', { status: 502, text: '<html>' }, 'broken'],
    ['a payload with a wrong status', { status: 500, text: ")]}'\n[1]" }, 'broken'],
    ['a redirect that nobody followed', { status: 302, text: '' }, 'broken'],
    ['an empty answer', { text: '' }, 'broken'],
    ['a page of a proxy', { text: '<html><h1>Log in to the network</h1>' }, 'unmarked'],
    ['a stub that leads to the captcha', { text: TO_CAPTCHA }, 'blocked'],
    ['a stub whose address is that of a payload', { text: TO_CAPTCHA_FROM_PAYLOAD }, 'blocked'],
    ['the page for clients without scripts', { text: ENABLE_SCRIPTS }, 'needs_scripts'],
    ['the wall without results', { text: "<html><script>var emsg='SG_REL'</script>" }, 'needs_scripts'],
    ['an error in JSON', { text: '{"error":"quota"}' }, 'broken'],
    ['a page that names the wall', { text: `<html><script>walls={a:"emsg=SG_REL"}</script>` }, 'unmarked'],
    ['a consent form in a hidden panel', { text: `<html><div hidden>${consent}</div>` }, 'unmarked'],
    ['a search page with the forms of consent', { text: state([0, 0, 0, null]) + consent }, 'page'],
    ['a form that only looks like consent', { text: `<html>${form({ set_eom: 'true' })}` }, 'unmarked'],
    ['an address that is none', { url: '', text: '[]' }, 'payload'],
  ])('%s is classified as $2', (_, answer, kind) => {
    expect(classifyAnswer({ url, status: 200, ...answer })).toBe(kind)
  })
})

test('the forms of a consent page are known by their fields, not by their words', () => {
  expect(consentForms(consent).map(({ choice }) => choice)).toEqual(['accept', 'reject'])
  expect(rejectForm(consent)).toEqual({
    action: '/save',
    choice: 'reject',
    fields: { continue: 'https://x.example/', set_eom: 'true' },
  })
  expect(consentForms(consent)[0]?.fields.continue).toBe('https://x.example/?a=1&b=2')
})

test.each(['form', 'get'])('a %s that does not post is no consent', (method) => {
  expect(rejectForm(consent.replaceAll('POST', method))).toBeUndefined()
})

test('notices count only where they are drawn, not where they are styled', () => {
  expect(isLimitedView('<style>.S3H0Nb{display:flex}</style><button>x</button>')).toBe(false)
  expect(isLimitedView('<div class="S3H0Nb fontBodyMedium"><span>Nur eine Auswahl. <button>Mehr</button>')).toBe(true)
  expect(saysNothingFound('<style>.Q2vNVc{padding:20px}</style>')).toBe(false)
  expect(saysNothingFound('<div class="fontBody Q2vNVc"></div>')).toBe(true)
  expect(saysNothingFound('<p>Google Maps can&#39;t find xyz</p>')).toBe(true)
})

describe('recorded walls', () => {
  test('the consent page and its four forms', () => {
    const wanted = expected('consent-a')
    const html = capture('consent-a.html')
    expect(classifyAnswer({ url, status: 200, text: html })).toBe(wanted.kind)
    expect(consentForms(html).map(({ choice }) => choice)).toEqual(['reject', 'accept', 'accept', 'reject'])
    expect(rejectForm(html)).toEqual({ action: wanted.action, choice: 'reject', fields: wanted.reject_fields })
    expect(consentForms(html)[1]?.fields).toEqual(wanted.accept_fields)
  })

  test.each(['consent-2026-ru', 'consent-2026-noscript'])('%s: its four forms, the first of which refuses', (name) => {
    const html = capture(`${name}.html`)
    expect(classifyAnswer({ url, status: 200, text: html })).toBe('consent')
    expect(consentForms(html).map(({ choice }) => choice)).toEqual(['reject', 'accept', 'accept', 'reject'])
    expect(rejectForm(html)?.fields).toMatchObject({ gl: 'DE', set_eom: 'true', uxe: expect.any(String) })
  })

  test('the captcha page', () => {
    expect(classifyAnswer({ url, status: 200, text: capture('sorry-a.html') })).toBe('blocked')
  })

  test.each([
    ['feed-end.html', 'feed', false],
    ['feed-limited.html', 'feed', true],
    ['place-page-2026.html', 'place', false],
    ['place-page-embedded.html', 'place', false],
    ['place-a.json', 'payload', false],
    ['search-a.json', 'payload', false],
    ['place-2026-full.txt', 'payload', false],
    ['feed-limited-address-2026.html', 'feed', true],
    ['search-page-embedded-2025.html', 'feed', false],
    ['place-page-2025-ka.html', 'place', false],
  ])('%s is classified as %s', (name, kind, limited) => {
    const body = capture(name)
    expect(classifyAnswer({ url, status: 200, text: body })).toBe(kind)
    expect(isLimitedView(body)).toBe(limited)
    expect(saysNothingFound(body)).toBe(false)
  })
})
