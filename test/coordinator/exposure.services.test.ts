import { expect, test } from 'vitest'
import { capturedLog } from '../harness/captured-log.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'

/** Returns how often a coordinator warned that keys travel in clear, or of something else. */
async function warnings(env: Record<string, string>, of = /the API is served without TLS/): Promise<number> {
  const { log, lines } = capturedLog()
  await addCoordinator({ ...(await startWorld()), log }, env)
  return lines.filter((line) => of.test(line)).length
}

test.each([
  [1, 'that others can reach without TLS', { HOST: '0.0.0.0', PUBLIC_URL: 'http://fleet.example' }],
  [0, 'on loopback', { HOST: '127.0.0.1' }],
  [0, 'behind a proxy that has TLS', { HOST: '0.0.0.0', PUBLIC_URL: 'https://fleet.example' }],
])('there is $0 warning of an API $1', async (count, _, env) => {
  expect(await warnings(env)).toBe(count)
})

test('a start without a SECRETS_KEY says how to make one', async () => {
  const says = /SECRETS_KEY is not set, so webhooks.* `openssl rand -base64 32`/
  expect(await warnings({ SECRETS_KEY: '' }, says)).toBe(1)
  expect(await warnings({}, says)).toBe(0)
})
