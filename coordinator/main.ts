import { flushCompileCache } from 'node:module'
import { explainEnd, PROGRAM_OPTIONS_HELP, readProgramOptions } from '@placefleet/shared/command-line'
import { createLifecycle, stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { readSettings } from '@placefleet/shared/unknown-settings'
import { EXIT_WITHIN_MS, startCoordinator, stopInTime } from './app.ts'
import { readConfig } from './config.ts'

const HELP = `Usage: npm run coordinator

Serves the API on HOST:PORT and agents on HOST:GRPC_PORT, over the MongoDB at MONGODB_URL and the NATS at NATS_URL. Run
as many as you like on the same two. coordinator/guides/settings.md lists all settings.

On SIGINT or SIGTERM it finishes the requests in flight; agents go on with another coordinator. On SIGTERM it first says
in /health for DRAIN_SECONDS that it is about to stop, and answers all the while.

${PROGRAM_OPTIONS_HELP}`

async function main(): Promise<void> {
  const { help, file } = readProgramOptions()
  if (help) return console.log(HELP)
  const config = readSettings(readConfig, process.env, file)
  const log = createLogger('coordinator', config.LOG_LEVEL)
  const life = createLifecycle(log)
  try {
    const { url, grpcPort, drain } = await startCoordinator(config, log, life)
    log.info({ url, grpc_port: grpcPort }, 'coordinator started')
    flushCompileCache() // now, because a coordinator that is killed would not write it
    const signal = await stopSignal()
    log.info({ signal }, 'coordinator stops')
    setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref()
    const isWhole = await stopInTime(life, signal === 'SIGTERM' ? drain : undefined)
    if (!isWhole) process.exit(0)
  } finally {
    await life.close()
  }
}

main().catch((error: unknown) => process.exit(explainEnd(error, HELP)))
