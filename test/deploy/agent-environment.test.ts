import { AGENT_SETTINGS } from '@placefleet/agent/config'
import { COORDINATOR_SETTINGS } from '@placefleet/coordinator/config'
import { SERVER_SETTINGS } from '@placefleet/deploy/embedded/servers'
import { agentEnvironment } from '@placefleet/deploy/standalone/settings'
import { isSecret } from '@placefleet/shared/config'
import { expect, test } from 'vitest'

test('the agent of npm start gets no secret but its own', () => {
  const settings = { ...SERVER_SETTINGS, ...COORDINATOR_SETTINGS }
  const secrets = Object.entries(settings).flatMap(([name, schema]) => (isSecret(schema) ? [name] : []))
  const env = Object.fromEntries(secrets.map((name) => [name, 'a secret']))
  const passed = agentEnvironment(env, { NATS_URL: 'nats://agents', COORDINATOR_GRPC: 'here' })
  expect(Object.keys(passed).filter((name) => !(name in AGENT_SETTINGS))).toEqual([])
})
