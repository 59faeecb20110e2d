import { expect, test } from 'vitest'
import { startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { startWorld } from '../harness/coordinator/world.ts'

/** Returns how often a coordinator warned that keys travel in clear. */
async function warnings(env: Record<string, string>): Promise<number> {
  const coordinator = await startCoordinatorProcess(await startWorld(), undefined, env)
  return coordinator.stderr().match(/the API is served without TLS/g)?.length ?? 0
}

test('an API that others can reach without TLS is warned of, once', async () => {
  expect(await warnings({ HOST: '0.0.0.0' })).toBe(1)
  expect(await warnings({ HOST: '0.0.0.0', PUBLIC_URL: 'http://fleet.example' })).toBe(1)
})

test('an API on loopback, or behind a proxy that has TLS, is not warned of', async () => {
  expect(await warnings({ HOST: '127.0.0.1' })).toBe(0)
  expect(await warnings({ HOST: '0.0.0.0', PUBLIC_URL: 'https://fleet.example' })).toBe(0)
})
