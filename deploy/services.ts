// npm run services: the embedded MongoDB and NATS alone, for coordinators and agents started by hand.
import { parseArgs } from 'node:util'
import { explainEnd } from '@placefleet/shared/command-line'
import { logLevelSetting, mongoUrlSetting, natsUrlSetting, readEnv } from '@placefleet/shared/config'
import { stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { z } from 'zod'
import { lockDataDir } from './embedded/data-dir.ts'
import { startServers } from './embedded/servers.ts'

const USAGE = `Usage: npm run services

Starts the embedded MongoDB and NATS, prints their addresses
  MONGODB_URL=...
  NATS_URL=...
and runs until it is stopped (Ctrl-C). Processes of the same user can use both addresses. That of NATS is for
coordinators and lets agents in as well; DATA_DIR/nats-agent-url is the one for agents, who may only take tasks with it.

Environment:
  DATA_DIR      where everything is kept (./data)
  MONGODB_URL   use this MongoDB instead of starting one
  NATS_URL      use this NATS instead of starting one
  LOG_LEVEL     what is written to stderr (info)
`

const SETTINGS = {
  DATA_DIR: z.string().default('./data'),
  MONGODB_URL: mongoUrlSetting().optional(),
  NATS_URL: natsUrlSetting().optional(),
  NATS_AGENT_URL: natsUrlSetting().optional(),
  LOG_LEVEL: logLevelSetting(),
}

try {
  await main(process.argv.slice(2), process.env)
} catch (error) {
  process.exitCode = explainEnd(error, USAGE)
}

async function main(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return void process.stdout.write(USAGE)
  const { DATA_DIR, LOG_LEVEL } = readEnv(SETTINGS, env)
  const toldToStop = stopSignal()
  const lock = lockDataDir(DATA_DIR)
  const servers = await startServers({ dataDir: lock.path, env, log: createLogger('services', LOG_LEVEL) })
  process.stdout.write(`MONGODB_URL=${servers.mongoUrl}\nNATS_URL=${servers.natsUrl}\n`)
  await toldToStop
  await servers.stop()
  lock.release()
}
