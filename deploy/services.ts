// npm run services: only the embedded MongoDB and NATS, for coordinators and agents started by hand.
import { explainEnd, PROGRAM_OPTIONS_HELP, readProgramOptions } from '@placefleet/shared/command-line'
import { readEnv, readSecretFiles } from '@placefleet/shared/config'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { lockDataDir } from './embedded/data-dir.ts'
import { SERVER_SETTINGS, startServers } from './embedded/servers.ts'

const USAGE = `Usage: npm run services

Starts the embedded MongoDB and NATS, and runs until it is stopped (Ctrl-C). It prints the lines to paste into the shell
where you start a coordinator, then those for an agent:
  export MONGODB_URL='...'
  export NATS_URL='...'
Processes of the same user can use these addresses. Agents get a separate NATS user, who may only take tasks.

Settings (deploy/SETTINGS.md has all):
  DATA_DIR      where everything is kept (./data)
  MONGODB_URL   a MongoDB to use instead of starting one
  NATS_URL      a NATS to use instead of starting one
  LOG_LEVEL     the lowest level of log lines on stderr (info)

${PROGRAM_OPTIONS_HELP}
`

try {
  await main()
} catch (error) {
  process.exitCode = explainEnd(error, USAGE)
}

async function main(): Promise<void> {
  if (readProgramOptions().help) return void process.stdout.write(USAGE)
  const { DATA_DIR, LOG_LEVEL } = readEnv(SERVER_SETTINGS, process.env)
  const env = readSecretFiles(SERVER_SETTINGS, process.env)
  const stopping = stopSignal()
  const lock = lockDataDir(DATA_DIR)
  const servers = await startServers({ dataDir: lock.path, env, log: createLogger('services', LOG_LEVEL) })
  process.stdout.write(
    [
      '# coordinators:',
      exported('MONGODB_URL', servers.mongoUrl),
      exported('NATS_URL', servers.natsUrl),
      '# agents:',
      exported('NATS_URL', servers.natsAgentUrl),
      '',
    ].join('\n'),
  )
  await stopping
  await servers.stop()
  lock.release()
}

/** Quotes a line for a POSIX shell, because addresses contain `&`, which ends an unquoted command. */
function exported(name: string, value: string): string {
  return `export ${name}='${value.replaceAll("'", "'\\''")}'`
}
