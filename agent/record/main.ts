// Records what the map site answers, without what belongs to somebody, for a report of an error.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd, UsageError } from '@placefleet/shared/command-line'
import { pathReportText } from '@placefleet/shared/path-report-text'
import { checkAsAgent, QUESTION_ARGUMENTS, QUESTION_HELP, QuestionFlags } from '../doctor/run.ts'
import { type Bundle, writeBundle } from './bundle.ts'
import { createRecorder } from './record.ts'

const HELP = `Usage: npm run record -- --out FILE.tgz [options]

Asks the map site as npm run doctor:maps does, and writes the requests and answers into FILE.tgz, without cookies, tokens,
addresses, proxies and persons. Shows what it took out, and asks before it writes. agent/record/README.md says how to
report an error with it.

  --out FILE      the file to write; it must not exist
${QUESTION_HELP}
  --yes           writes without a question
  --help          this text

Reads the settings of npm run doctor:maps. The exit code is 0 when the file was written, 1 when not, and 2 for a wrong option.`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...QUESTION_ARGUMENTS,
      out: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const { out } = values
  if (out === undefined) throw new UsageError('--out: name the file to write, e.g. --out map-site.tgz')
  if (existsSync(out)) throw new UsageError(`--out: ${out} exists already`)
  const flags = checkOptions(QuestionFlags, values)
  const recorder = createRecorder()
  const report = await checkAsAgent(flags, recorder.onPath)
  const bundle = await recorder.bundle(report, flags)
  console.log(pathReportText(report))
  console.log(`\n${summary(bundle)}`)
  if (bundle.texts.size === 0 || !(values.yes || (await agrees(out)))) {
    console.log('Nothing was written.')
    process.exitCode = 1
    return
  }
  await writeBundle(out, bundle)
  console.log(`${out} is written. Look into it before you show it to others: tar xzf ${out}`)
}

function summary({ manifest: { pairs, removed } }: Bundle): string {
  if (pairs.length === 0) return 'No answer came, so there is nothing to record.'
  const lines = Object.entries(removed).map(([what, times]) => `  ${times.toLocaleString('en')} ${what}`)
  return [`${pairs.length} answers are recorded. Taken out or replaced:`, ...lines].join('\n')
}

async function agrees(out: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError('--yes: say that the file may be written, because nobody can be asked here')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(`Write them to ${out}? [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
