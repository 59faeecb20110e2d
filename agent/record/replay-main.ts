// Reads a recording again, offline.
import { parseArgs } from 'node:util'
import { explainEnd, reasonOf, UsageError } from '@placefleet/shared/command-line'
import { harmlessJson } from '@placefleet/shared/commands/table'
import { readBundle, writeBundle } from './bundle.ts'
import { accepted, replay, replayText } from './replay.ts'

const HELP = `Usage: npm run replay -- FILE.tgz [options]

Lets the parsers read a recording of npm run record again, without a network: kind, verdict and fields of each answer, where
they differ from those at the recording, and the paths of fields that no answer has.

  --accept        writes what the parsers read now into the file, as what they must read from now on
  --json          the result as JSON
  --help          this text

The exit code is 0 when nothing differs and no field is missing that every place has, 1 otherwise, and 2 for a wrong option.`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      accept: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  if (values.help) return console.log(HELP)
  const [file, ...rest] = positionals
  if (file === undefined || rest.length > 0) throw new UsageError('Name one recording: npm run replay -- FILE.tgz')
  const bundle = await readBundle(file).catch((cause: unknown) => {
    throw new Error(`${file} is no recording of npm run record: ${reasonOf(cause)}`, { cause })
  })
  if (values.accept) await writeBundle(file, accepted(bundle))
  const result = replay(values.accept ? accepted(bundle) : bundle)
  console.log(values.json ? harmlessJson(result) : replayText(result))
  process.exitCode = result.same ? 0 : 1
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
