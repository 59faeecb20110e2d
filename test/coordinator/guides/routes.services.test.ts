import { ALL_GUIDES } from '@placefleet/coordinator/guides/guides'
import { guideRoutes } from '@placefleet/coordinator/guides/routes'
import { expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { testDatabase } from '../../harness/servers/database.ts'

test('guides are pages without a script, Markdown for programs, and listed for people and for assistants', async () => {
  const { db } = await testDatabase()
  const { baseUrl } = await startApi(db, {
    routes: async (server) => void server.register(guideRoutes),
  })
  const index = await fetch(`${baseUrl}/guides`)
  const html = await index.text()
  const list = await (await fetch(`${baseUrl}/llms.txt`)).text()
  expect(index.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(index.headers.get('content-security-policy')).not.toContain('script')
  for (const name of ALL_GUIDES) {
    expect(html).toContain(`href="/guides/${name}"`)
    expect(list).toContain(`(/guides/${name}.md)`)
    const page = await fetch(`${baseUrl}/guides/${name}`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('<h1 id=')
    const text = await fetch(`${baseUrl}/guides/${name}.md`)
    expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await text.text()).toMatch(/^# /)
  }
  const missing = await fetch(`${baseUrl}/guides/nothing`)
  expect(missing.status).toBe(404)
  expect(await missing.json()).toMatchObject({
    error: 'not_found',
    message: 'There is no such guide. /guides lists them.',
  })
})
