import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { mayHaveSandbox } from '../../../harness/browser.ts'
import { freePort } from '../../../harness/network/free-port.ts'
import { runOpsHere } from './run-ops.ts'

async function site() {
  const running = await startMapSite({ seed: 2, places: 240 })
  onTestFinished(() => running.close())
  return running
}

test('doctor --maps shows what each rung gets from the map site, without a database', async () => {
  const { url } = await site()
  const { code, out } = await runOpsHere(['doctor', '--maps', '--json'], {
    MAPS_BASE_URL: url,
    EXIT_RATE: '0',
    CHROMIUM_SANDBOX: mayHaveSandbox() ? 'on' : 'off',
  })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ healthy: true, exits: [{ exit: 'own address', causes: [] }] })
})

test('doctor --maps ends with 1 when the map site refuses', async () => {
  const { url, setOptions } = await site()
  setOptions({ blockPlainHttp: true })
  const { code, out } = await runOpsHere(['doctor', '--maps'], {
    MAPS_BASE_URL: url,
    COLLECT_RUNG: 'http',
    EXIT_RATE: '0',
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^│ http +│ search +│ exit_refused /m)
  expect(out).toContain('The map site refuses the requests. Neither plain HTTP nor the browser works.')
})

test('doctor --maps says that the map site does not answer, and why', async () => {
  const MAPS_BASE_URL = `http://127.0.0.1:${await freePort()}`
  const { code, out } = await runOpsHere(['doctor', '--maps'], { MAPS_BASE_URL, COLLECT_RUNG: 'http', EXIT_RATE: '0' })
  expect(code).toBe(1)
  expect(out).toMatch(/^│ http +│ front page +│ network /m)
  expect(out).toContain('ECONNREFUSED')
  expect(out).toContain('The map site does not answer')
})
