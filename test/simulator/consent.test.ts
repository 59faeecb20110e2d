import { expect, test } from 'vitest'
import { mapSite, searchAddress, searchPb } from './asking.ts'

test('a wall of consent leads to its forms, and after one of them back to the page', async () => {
  const site = await mapSite({ consent: true })
  const wanted = `${site.url}/maps/search/gym?hl=fr`
  const wall = await fetch(wanted)
  expect(new URL(wall.url).pathname).toBe('/consent/m')
  const html = await wall.text()
  const forms = html.match(/<form .*?<\/form>/gs) ?? []
  expect(forms).toHaveLength(4)
  expect(forms.map((form) => form.includes('name="set_sc"'))).toEqual([false, true, true, false])
  const fields = Object.fromEntries(
    [...(forms[0] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  )
  const saved = await fetch(`${site.url}/consent/save`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  expect(saved.headers.get('location')).toBe(wanted)
  const cookie = saved.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(cookie).toMatch(/^SOCS=/)
  expect((await fetch(wanted, { headers: { cookie } })).url).toBe(wanted)
  expect(site.requests().refused.consent).toEqual({ 'search-page': 1 })
})

test('payloads stop at the wall too', async () => {
  const site = await mapSite({ consent: true })
  const response = await fetch(searchAddress(site, 'gym', searchPb()))
  expect(new URL(response.url).pathname).toBe('/consent/m')
})

test('consent leads to no other site', async () => {
  const site = await mapSite({ consent: true })
  const body = new URLSearchParams({ continue: 'http://elsewhere.example/', set_eom: 'true' })
  const saved = await fetch(`${site.url}/consent/save`, { method: 'POST', body, redirect: 'manual' })
  expect(saved.headers.get('location')).toBe(`${site.url}/maps`)
})

test('consent may have a separate origin, and its choice counts on the site', async () => {
  const site = await mapSite({ consent: true, consentElsewhere: true })
  const wall = await fetch(`${site.url}/maps`)
  expect(new URL(wall.url).origin).not.toBe(new URL(site.url).origin)
  expect(new URL(wall.url).pathname).toBe('/m')
  const action = /<form action="([^"]+)"/.exec(await wall.text())?.[1] ?? ''
  expect(new URL(action).origin).toBe(new URL(wall.url).origin)
  const body = new URLSearchParams({ continue: `${site.url}/maps`, set_eom: 'true' })
  const saved = await fetch(action, { method: 'POST', body, redirect: 'manual' })
  expect(saved.headers.get('location')).toBe(`${site.url}/maps`)
  const cookie = saved.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect((await fetch(`${site.url}/maps`, { headers: { cookie }, redirect: 'manual' })).status).toBe(200)
})

test('good pages may hold a dormant consent panel and the words of walls', async () => {
  const site = await mapSite({ decoys: true })
  const html = await (await fetch(`${site.url}/maps/search/gym`)).text()
  for (const mark of ['/sorry/index', 'enablejs', 'SG_REL', 'name="set_eom"']) expect(html).toContain(mark)
  expect(html).toContain('APP_INITIALIZATION_STATE')
})
