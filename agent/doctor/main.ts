// Asks the map site once through each door of each rung, and shows what came.
import { parseArgs } from 'node:util'
import { checkOptions, explainEnd } from '@placefleet/shared/command-line'
import { pathReportText } from '@placefleet/shared/path-report-text'
import { causesHelp, exitCodeOf } from './conclusion.ts'
import { checkAsAgent, QUESTION_ARGUMENTS, QUESTION_HELP, QuestionFlags } from './run.ts'

const HELP = `Usage: npm run doctor:maps -- [options]

Shows what MAPS_BASE_URL answers: from each address or proxy, over plain HTTP and in Chromium, it asks once for
the front page, a search, a place, its reviews at each address that lists them, and its photos, which only Chromium
gets. That takes about 15 requests of each address, at the pace of EXIT_RATE. Needs no coordinator and no queue.

${QUESTION_HELP}
  --json          the report as JSON
  --help          this text

Exit codes: 0 when plain HTTP and the browser got a whole search and a whole place, 1 an error of the program, 2 a wrong option, else the
most serious cause:
${causesHelp()}

Reads COLLECT_RUNG, CHROMIUM_PATH, CHROMIUM_SANDBOX, EXIT_RATE, EGRESS_ALLOW_HOSTS and LOG_LEVEL (fatal), as an agent does.`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...QUESTION_ARGUMENTS,
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const report = await checkAsAgent(checkOptions(QuestionFlags, values))
  console.log(values.json ? JSON.stringify(report, undefined, 2) : pathReportText(report))
  process.exitCode = exitCodeOf(report)
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
