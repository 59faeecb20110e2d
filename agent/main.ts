import { flushCompileCache } from 'node:module'
import { explainEnd, PROGRAM_OPTIONS_HELP, readProgramOptions } from '@placefleet/shared/command-line'
import { createLifecycle, stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { startAgent } from './app.ts'
import { readAgentConfig } from './config.ts'

const HELP = `Usage: npm run agent

Takes tasks from the queue at NATS_URL, claims them from the coordinator at COORDINATOR_GRPC (host:port) with
AGENT_TOKEN, collects the places and streams them back. deploy/SETTINGS.md lists all settings.

On SIGINT or SIGTERM it takes no new task and finishes or hands back what it has within 10 seconds.

${PROGRAM_OPTIONS_HELP}`

/** Ends the process when stopping takes longer than this: another agent takes over what is left. */
const STOP_WITHIN_MS = 10_000

async function main(): Promise<void> {
  if (readProgramOptions().help) return console.log(HELP)
  const config = readAgentConfig(process.env)
  const log = createLogger('agent', config.LOG_LEVEL)
  const life = createLifecycle(log)
  const agent = await startAgent(config, log, life)
  log.info({ agent_id: agent.agent_id, slots: config.AGENT_CONCURRENCY }, 'agent started')
  flushCompileCache() // now, since not every agent comes to a proper end
  const signal = await stopSignal()
  log.info({ signal }, 'agent stops')
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  await agent.drain()
  await life.close()
  process.exit() // a request for a task that is still out would hold the process for seconds
}

main().catch((error: unknown) => process.exit(explainEnd(error, HELP)))
