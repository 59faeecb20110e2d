import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { launchChromium } from '../console/harness/chromium.ts'
import { person } from '../coordinator/mcp/person.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { serve } from '../harness/network/serve.ts'

const world = await startWorld(afterAll)
const { url } = await addCoordinator(world)

const Finished = z.object({ tools: z.array(z.string()), balance: z.looseObject({ available: z.string() }) })

test('an assistant on a page of another site signs in by OAuth and calls tools', async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'inspector-page.ts'), platform: 'browser' })
  const [{ code: program }] = (await bundle.generate({ format: 'iife' })).output
  await bundle.close()
  const site = await serve((request, response) => {
    const isProgram = request.url === '/program.js'
    response.setHeader('content-type', isProgram ? 'text/javascript; charset=utf-8' : 'text/html')
    response.end(isProgram ? program : '<!doctype html><script src="/program.js"></script>')
  })
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.goto(site.url)
    await page.evaluate(
      `globalThis.mine = inspector(${JSON.stringify(url)}, ${JSON.stringify(`${site.url}/callback`)})`,
    )
    const address = z.url().parse(await page.evaluate('mine.begin()'))
    expect(new URL(address).origin).toBe(url)

    const { decide } = await person(world.db, url)
    const code = (await decide(new URL(address), 'approve')).searchParams.get('code')
    const { tools, balance } = Finished.parse(await page.evaluate(`mine.finish(${JSON.stringify(code)})`))
    expect(tools).toContain('create_job')
    expect(balance.available).toBe('1000.000000')
  } finally {
    await browser.close()
  }
})
