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

test('doctor --maps shows the fields that the map site gives, without a database', async () => {
  const { url } = await site()
  const { code, out } = await runOpsHere(['doctor', '--maps', '--json'], {
    MAPS_BASE_URL: url,
    EXIT_RATE: '0',
    CHROMIUM_SANDBOX: mayHaveSandbox() ? 'on' : 'off',
  })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ healthy: true, place: { places: 1 } })
})

test('doctor --maps ends with 1 when the map site refuses', async () => {
  const { url, setOptions } = await site()
  setOptions({ blockPlainHttp: 'always' })
  const { code, out } = await runOpsHere(['doctor', '--maps'], {
    MAPS_BASE_URL: url,
    COLLECT_RUNG: 'http',
    EXIT_RATE: '0',
  })
  expect(code).toBe(1)
  expect(out).toContain('The map site returned no places: blocked: ')
  expect(out).not.toMatch(/ no$/m)
})

test('doctor --maps says that the map site cannot be reached, and lists no missing fields', async () => {
  const MAPS_BASE_URL = `http://127.0.0.1:${await freePort()}`
  const { code, out } = await runOpsHere(['doctor', '--maps'], { MAPS_BASE_URL, COLLECT_RUNG: 'http', EXIT_RATE: '0' })
  expect(code).toBe(1)
  expect(out).toMatch(/The map site returned no places: .*the map site cannot be reached.*ECONNREFUSED/)
  expect(out).not.toMatch(/ no$|required fields/m)
})
