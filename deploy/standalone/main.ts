// npm start: everything on this machine.
import { parseArgs } from 'node:util'
import { explainEnd } from '@placefleet/shared/command-line'
import { createLifecycle, stopSignal } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { readStandaloneSettings } from './settings.ts'
import { startStandalone } from './start.ts'

const USAGE = `Usage: npm start

Starts the embedded MongoDB and NATS, a coordinator and one agent on this machine, and runs until it is stopped (Ctrl-C).
The first start makes a user and prints their API key, which is also kept in DATA_DIR/api-key.

No setting is required. The README lists them all; the first ones are
  PORT        where the API answers (8080)
  HOST        on which address (127.0.0.1: this machine only)
  DATA_DIR    where everything is kept (./data)
`

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) return void process.stdout.write(USAGE)
  const settings = readStandaloneSettings(process.env)
  const log = createLogger('placefleet', settings.config.LOG_LEVEL)
  const life = createLifecycle(log)
  const toldToStop = stopSignal()
  try {
    const { url, firstKey } = await startStandalone(settings, log, life)
    console.log(`Placefleet answers at ${url} (documents at ${url}/docs)`)
    if (firstKey.made) console.log(`Your API key: ${firstKey.key}\nIt is kept in ${firstKey.file}`)
    log.info({ reason: await toldToStop }, 'stopping')
  } finally {
    await life.close()
  }
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, USAGE)
})
