// Starts Chromium as an agent does, and says what prevents it.
import { userInfo } from 'node:os'
import { parseArgs, styleText } from 'node:util'
import type { ChromiumCause } from '@placefleet/shared/chromium-problem'
import { explainEnd } from '@placefleet/shared/command-line'
import { createLogger } from '@placefleet/shared/log'
import { checkChromium } from '../browser/check-chromium.ts'
import { type ChromiumProblem, problemForOperator, type SystemFacts } from '../browser/chromium-problem.ts'
import { findChromium } from '../browser/find-chromium.ts'
import { systemFacts } from '../browser/system-facts.ts'
import { readCollectingConfig } from '../config.ts'
import { type SelfDescriptions, selfDescriptions } from './self-description.ts'

const HELP = `Usage: npm run doctor:chromium -- [options]

Starts Chromium exactly as an agent on this host does, and opens an empty page. When that fails, it says why and what
mends it. Run it as the user of the agent. Needs no coordinator, no queue and no network.

  --json          the report as JSON
  --brief         does not ask Chromium what it says of itself to a page, a frame and a worker
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

type Report = {
  readonly ok: boolean
  readonly program?: string
  readonly version?: string
  readonly sandbox: 'on' | 'off'
  readonly user: string
  readonly system: SystemFacts
  /** What it says of itself to the scripts of a page, of a frame and of a worker. */
  readonly self?: SelfDescriptions
  readonly problem?: ChromiumProblem
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      brief: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return console.log(HELP)
  const config = readCollectingConfig({ LOG_LEVEL: 'fatal', ...process.env })
  const report = await examine(config, values.brief)
  console.log(values.json ? JSON.stringify(report, undefined, 2) : shown(report))
  process.exitCode = report.problem ? EXIT_CODES[report.problem.cause] : 0
}

async function examine(config: ReturnType<typeof readCollectingConfig>, brief: boolean): Promise<Report> {
  const sandbox = config.CHROMIUM_SANDBOX
  const finding = findChromium()
  const program = await finding.then(
    ({ executablePath }) => executablePath,
    () => undefined, // the check says why there is none
  )
  const log = createLogger('doctor', config.LOG_LEVEL)
  const { version, problem } = await checkChromium(sandbox === 'on', log, () => finding)
  const self = brief || problem ? undefined : await selfDescriptions(sandbox === 'on', log)
  return {
    ok: problem === undefined,
    ...(program !== undefined && { program }),
    ...(version !== undefined && { version }),
    sandbox,
    user: userName(),
    system: await systemFacts(),
    ...(self && { self }),
    ...(problem && { problem }),
  }
}

/** Returns the user of this process. A container may have no name for it. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

const SECCOMP = ['no filter', 'strict', 'a filter'] as const

function shown({ program, version, sandbox, user, system, self, problem }: Report): string {
  const { maxUserNamespaces: most, unprivilegedUserns: clone, apparmorRestricts, seccomp } = system
  const isDenied = most === 0 || clone === 0 || problem?.cause === 'user_namespaces'
  const namespaces = most === undefined ? 'unknown' : isDenied ? 'denied' : 'allowed'
  const rows: [name: string, value: string][] = [
    ['program', program ?? 'none'],
    ['version', version ?? 'unknown: it does not start'],
    ['sandbox', sandbox === 'off' ? 'off (CHROMIUM_SANDBOX=off)' : problem ? 'on' : 'on, and it works'],
    ['user', user],
    ['user namespaces', `${namespaces} (user.max_user_namespaces = ${most ?? 'not there'})`],
    ['AppArmor', apparmorRestricts ? 'restricts user namespaces' : 'does not restrict user namespaces'],
    ['seccomp', seccomp === undefined ? 'unknown' : (SECCOMP[seccomp] ?? String(seccomp))],
  ]
  for (const [where, { user_agent, webdriver, languages, time_zone }] of Object.entries(self ?? {})) {
    const words = [user_agent, webdriver ? 'webdriver' : 'no webdriver', languages.join(','), time_zone]
    rows.push([`says in a ${where}`, words.join(' | ')])
  }
  const lines = rows.map(([name, value]) => `${name.padEnd(18)}${value}`)
  return [...lines, '', ...conclusion(problem)].join('\n')
}

function conclusion(problem: ChromiumProblem | undefined): string[] {
  if (!problem) return [styleText('green', 'Chromium starts.')]
  const [message = '', ...rest] = problemForOperator(problem)
  return [styleText('red', message), ...rest]
}

main().catch((error: unknown) => {
  process.exitCode = explainEnd(error, HELP)
})
