import { flushCompileCache } from 'node:module'
import { explainEnd, PROGRAM_OPTIONS_HELP, readProgramOptions } from '@placefleet/shared/command-line'
import { createLifecycle, stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { readSettings } from '@placefleet/shared/unknown-settings'
import { startAgent } from './app.ts'
import { readAgentConfig } from './config.ts'

const HELP = `Usage: npm run agent

Takes tasks from the queue at NATS_URL, claims them from the coordinator at COORDINATOR_GRPC (host:port) with
AGENT_TOKEN, collects the places and streams them back. coordinator/guides/settings.md lists all settings.

On SIGINT or SIGTERM it takes no new task and finishes or hands back what it has within 10 seconds.

${PROGRAM_OPTIONS_HELP}`

/** The process exits when a graceful stop takes longer than this. Other agents take over its tasks. */
const STOP_WITHIN_MS = 10_000

async function main(): Promise<void> {
  const { help, file } = readProgramOptions()
  if (help) return console.log(HELP)
  const config = readSettings(readAgentConfig, process.env, file)
  const log = createLogger('agent', config.LOG_LEVEL)
  const life = createLifecycle(log)
  const agent = await startAgent(config, log, life)
  log.info({ agent_id: agent.agent_id, slots: config.AGENT_CONCURRENCY }, 'agent started')
  flushCompileCache() // now, because an agent that is killed would not write it
  const signal = await stopSignal()
  log.info({ signal }, 'agent stops')
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  await agent.drain()
  await life.close()
  process.exit() // a pending pull request to the queue would keep the process alive for seconds
}

main().catch((error: unknown) => process.exit(explainEnd(error, HELP)))
