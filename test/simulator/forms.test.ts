import { expect, test } from 'vitest'
import { mapSite, placeWith } from './asking.ts'

test('Wi-Fi is said twice: that there is some, and which kind', async () => {
  const site = await mapSite()
  const index = placeWith(site, ({ about }) => about.some(({ attribute }) => attribute === 'wi_fi'))
  const kinds = site.city.details(index).about.filter(({ label }) => label === 'wifi')
  expect(kinds.map(({ attribute, says }) => [attribute, says.kind])).toEqual([
    ['has_wi_fi', 1],
    ['wi_fi', 2],
  ])
  const amenities = site.city.place(index).about?.find(({ id }) => id === 'amenities')
  expect(amenities?.options.filter(({ name }) => name === 'Wi-Fi')).toEqual([
    { name: 'Wi-Fi', enabled: true, values: ['Free Wi-Fi'] },
  ])
})

test.each([
  ['inline', /window\.APP_INITIALIZATION_STATE=\[.*;window\.APP_FLAGS=/],
  ['keyed', /window\.APP_INITIALIZATION_STATE=\[\[.*\],null,null,\{"g/],
] as const)('the state of a page: %s', async (pageState, pattern) => {
  const site = await mapSite({ pageState })
  const html = await (await fetch(`${site.url}/maps/place/x/data=!1s${site.city.details(0).ids.dataId}`)).text()
  expect(html).toMatch(pattern)
})

test.each(['late', 'absent'] as const)('the state of a page is not in its HTML: %s', async (pageState) => {
  const site = await mapSite({ pageState, placePages: 'embed' })
  const html = await (await fetch(`${site.url}/maps/place/x/data=!1s${site.city.details(0).ids.dataId}`)).text()
  expect(html).not.toContain('APP_INITIALIZATION_STATE')
  expect(html).toContain('/maps/preview/place?')
})
