import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { runOpsHere } from './run-ops.ts'

test('doctor --maps shows what the map site answers, without a database, and ends with 1 when it refuses', async () => {
  const { url, setOptions, close } = await startMapSite({ seed: 2, places: 240 })
  onTestFinished(close)
  const env = { MAPS_BASE_URL: url, COLLECT_RUNG: 'http', EXIT_RATE: '0' }
  const healthy = await runOpsHere(['doctor', '--maps', '--json'], env)
  expect(healthy.code).toBe(0)
  expect(JSON.parse(healthy.out)).toMatchObject({ healthy: true, exits: [{ exit: 'own address', causes: [] }] })
  setOptions({ blockPlainHttp: true })
  const refused = await runOpsHere(['doctor', '--maps'], env)
  expect(refused.code).toBe(1)
  expect(refused.out).toMatch(/^│ http +│ search +│ exit_refused /m)
  expect(refused.out).toContain('The map site refuses the requests. Neither plain HTTP nor the browser works.')
})
