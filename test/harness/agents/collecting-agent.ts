import { startAgent } from '@placefleet/agent/app'
import { readAgentConfig } from '@placefleet/agent/config'
import { TIMINGS, type Timings } from '@placefleet/agent/timings'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { SIMULATED_SITE } from '../coordinator/processes.ts'
import { AGENT_TOKEN, type World } from '../coordinator/world.ts'

/**
 * Starts a whole agent in this process. It costs a fraction of an agent in a process of its own, which only a test that
 * kills or signals it needs. The world closes it, unless the test does.
 */
export async function addCollectingAgent(
  world: World,
  grpc: string,
  env: Record<string, string>,
  timings: Timings = TIMINGS,
): Promise<{ close(): Promise<void> }> {
  const life = createLifecycle(world.log)
  world.life.own('agent', life, (opened) => opened.close())
  const settings = { NATS_URL: world.natsAgentUrl, COORDINATOR_GRPC: grpc, AGENT_TOKEN, ...SIMULATED_SITE, ...env }
  const { drain } = await startAgent(readAgentConfig(settings), world.log, life, timings)
  life.own('tasks of the agent', drain, (end) => end())
  return { close: () => life.close() }
}
