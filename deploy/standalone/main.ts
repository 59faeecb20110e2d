// npm start: everything on this machine.
import { networkInterfaces } from 'node:os'
import { explainEnd, PROGRAM_OPTIONS_HELP, readProgramOptions } from '@placefleet/shared/command-line'
import { createLifecycle, stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { readSettings } from '@placefleet/shared/unknown-settings'
import { keyInstructions, signInInstructions } from './key-files.ts'
import { readStandaloneSettings } from './settings.ts'
import { startStandalone, urlsForOthers } from './start.ts'

const USAGE = `Usage: npm start

Starts the embedded MongoDB and NATS, a coordinator and one agent on this machine, and runs until it is stopped (Ctrl-C).
The first start creates a user and writes their API key to DATA_DIR/api-key. Each start prints a link that signs this user in to
the console.

No setting is required. coordinator/guides/settings.md lists them all; the first ones are
  PORT        the port of the API (8080)
  HOST        the address it listens on (127.0.0.1: this machine only)
  DATA_DIR    where everything is kept (./data)

${PROGRAM_OPTIONS_HELP}
`

async function main(): Promise<void> {
  const { help, file } = readProgramOptions()
  if (help) return void process.stdout.write(USAGE)
  const settings = readSettings(readStandaloneSettings, process.env, file)
  const log = createLogger('placefleet', settings.config.LOG_LEVEL)
  const life = createLifecycle(log)
  const stopping = stopSignal()
  try {
    const { url, dataDir, firstKey, signInLink } = await startStandalone(settings, log, life)
    console.log(`Placefleet answers at ${url} (API reference: ${url}/docs)`)
    const urls = urlsForOthers(settings.config.HOST, new URL(url).port, networkInterfaces())
    if (urls.length > 0) console.log(`For other machines: ${urls.join(' or ')}`)
    const isTerminal = process.stdout.isTTY
    if (firstKey.made) console.log(keyInstructions(firstKey, isTerminal))
    console.log(signInInstructions(await signInLink(), { dataDir, life, isTerminal }))
    log.info({ reason: await stopping }, 'stopping')
  } finally {
    await life.close()
  }
}

main().catch((error: unknown) => process.exit(explainEnd(error, USAGE)))
