import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { expect, onTestFinished, test } from 'vitest'
import { runOpsHere } from './run-ops.ts'

async function site() {
  const running = await startMapSite({ seed: 2, places: 240 })
  onTestFinished(() => running.close())
  return running
}

test('doctor --maps shows the fields that the map site gives, without a database', async () => {
  const { url } = await site()
  const { code, out } = await runOpsHere(['doctor', '--maps', '--json'], { MAPS_BASE_URL: url, EXIT_RATE: '0' })
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
  expect(out).toContain('does not return all required fields')
})
