// npm run services: only the embedded MongoDB and NATS, for coordinators and agents started by hand.
import { explainEnd, PROGRAM_OPTIONS_HELP, readProgramOptions } from '@placefleet/shared/command-line'
import { readEnv, readSecretFiles } from '@placefleet/shared/config'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { readSettings } from '@placefleet/shared/unknown-settings'
import { lockDataDir } from './embedded/data-dir.ts'
import { SERVER_SETTINGS, startServers } from './embedded/servers.ts'
import { keptAgentToken, keptSecretsKey } from './standalone/key-files.ts'

const USAGE = `Usage: npm run services

Starts the embedded MongoDB and NATS, and runs until it is stopped (Ctrl-C). It prints two blocks to paste, one into the
shell of a coordinator and one into the shell of an agent. They stay the same in the next start.
Processes of the same user can use these addresses. Agents get a separate NATS user, who may only take tasks.

Settings (coordinator/guides/settings.md has all):
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
  const { help, file } = readProgramOptions()
  if (help) return void process.stdout.write(USAGE)
  const { DATA_DIR, LOG_LEVEL } = readSettings((given) => readEnv(SERVER_SETTINGS, given), process.env, file)
  const env = readSecretFiles(SERVER_SETTINGS, process.env)
  const stopping = stopSignal()
  const lock = lockDataDir(DATA_DIR)
  const servers = await startServers({ dataDir: lock.path, env, log: createLogger('services', LOG_LEVEL) })
  const agentToken = process.env.AGENT_TOKEN || keptAgentToken(lock.path)
  process.stdout.write(
    [
      '# In the shell of a coordinator:',
      exported('MONGODB_URL', servers.mongoUrl),
      exported('NATS_URL', servers.natsUrl),
      exported('SECRETS_KEY', process.env.SECRETS_KEY || keptSecretsKey(lock.path)),
      exported('AGENT_TOKEN', agentToken),
      'npm run coordinator',
      '',
      '# In the shell of an agent:',
      exported('NATS_URL', servers.natsAgentUrl),
      exported('AGENT_TOKEN', agentToken),
      exported('COORDINATOR_GRPC', '127.0.0.1:50051'),
      'npm run agent',
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
