// Starts Chromium as an agent does, and says what prevents it.
import { parseArgs, styleText } from 'node:util'
import type { ChromiumCause } from '@placefleet/shared/chromium-problem'
import { explainEnd, reasonOf } from '@placefleet/shared/command-line'
import { createLogger, type Logger } from '@placefleet/shared/log'
import { type ChromiumProblem, chromiumFailureIn, diagnose, problemForOperator } from '../browser/chromium-problem.ts'
import { findChromium, installedVersion } from '../browser/find-chromium.ts'
import { launchChromium, type RunningChromium } from '../browser/launch.ts'
import { within } from '../browser/within.ts'
import { readCollectingConfig } from '../config.ts'

const HELP = `Usage: npm run doctor:chromium -- [options]

Starts Chromium exactly as an agent on this host does, and opens an empty page. When that fails, it says why and what
mends it. Run it as the user of the agent. Needs no coordinator, no queue and no network.

  --json          the report as JSON
  --help          this text

Exit codes: 0 when Chromium starts, 1 an error of the program, 2 a wrong option, else the cause:
  3   the agent runs as root
  4   the system forbids user namespaces
  5   AppArmor forbids them
  6   a filter of system calls forbids them
  7   a library is missing
  8   there is no Chromium
  9   another cause

Reads CHROMIUM_PATH, CHROMIUM_SANDBOX and LOG_LEVEL (fatal), as an agent does.`

const EXIT_CODES: Record<ChromiumCause, number> = {
  root: 3,
  user_namespaces: 4,
  apparmor: 5,
  filter: 6,
  library: 7,
  not_found: 8,
  other: 9,
}

/** The result of a start: the version of Chromium, or why it does not start. */
type Report = {
  readonly program?: string | undefined
  readonly version?: string
  readonly problem?: ChromiumProblem
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return console.log(HELP)
  const { CHROMIUM_SANDBOX: sandbox, LOG_LEVEL } = readCollectingConfig({ LOG_LEVEL: 'fatal', ...process.env })
  const report = await startOnce(sandbox === 'on', createLogger('doctor', LOG_LEVEL))
  const { problem } = report
  console.log(values.json ? JSON.stringify({ ok: !problem, sandbox, ...report }, undefined, 2) : shown(report, sandbox))
  process.exitCode = problem ? EXIT_CODES[problem.cause] : 0
}

/** A page takes milliseconds. Under a filter that kills its process it never answers. */
const PAGE_MS = 15_000

/** A proxy that nothing listens on: the trial start sends no request. */
const NO_PROXY = 'http://127.0.0.1:9'

/** Starts Chromium as an agent does (same program, sandbox, environment and arguments), opens a page, and ends it. */
async function startOnce(sandbox: boolean, log: Logger): Promise<Report> {
  let program: string | undefined
  let running: RunningChromium | undefined
  try {
    const chromium = await findChromium()
    program = chromium.executablePath
    const found = { find: async () => chromium, installedVersion: await installedVersion() }
    running = await launchChromium({ ...found, proxyServer: NO_PROXY, sandbox, log })
    await within(running.browser.newPage(), PAGE_MS)
    return { program, version: running.browser.version() }
  } catch (error) {
    // A page that fails is diagnosed like a start.
    return { program, problem: chromiumFailureIn(error)?.problem ?? (await diagnose(reasonOf(error))) }
  } finally {
    await running?.end()
  }
}

function shown({ program, version, problem }: Report, sandbox: 'on' | 'off'): string {
  const works = problem ? 'on' : 'on, and it works'
  return [
    `program           ${program ?? 'none'}`,
    `version           ${version ?? 'unknown: it does not start'}`,
    `sandbox           ${sandbox === 'off' ? 'off (CHROMIUM_SANDBOX=off)' : works}`,
    '',
    problem ? styleText('red', problemForOperator(problem)) : styleText('green', 'Chromium starts.'),
  ].join('\n')
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
