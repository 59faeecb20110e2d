import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '@placefleet/shared/command-line'
import { type Report, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { harmless, judged, strong, time, warned } from '@placefleet/shared/commands/table'
import type { Environment } from '@placefleet/shared/config'
import { natsServers } from '@placefleet/shared/nats'
import { PathReport } from '@placefleet/shared/path-report'
import { pathReportText } from '@placefleet/shared/path-report-text'
import { parsedJson } from '@placefleet/shared/text'
import type { Db } from 'mongodb'
import { connect } from 'nats'
import { z } from 'zod'
import { agentNamesSetting } from '../../config.ts'
import { AppError } from '../../http/errors.ts'
import { fullDatabaseDisk } from '../../mongo/failures.ts'
import { NATS_WITHIN_MS, type QueueState, queueState } from '../../tasks/queue-state.ts'
import { diagnose } from '../doctor/diagnosis.ts'
import type { Check } from '../doctor/findings.ts'
import { readState } from '../doctor/state.ts'
import { askForCheck, listExits } from '../exits.ts'
import { type AnyTask, failureText } from '../tasks.ts'
import { addressOf, dataDirOf } from './addresses.ts'
import { type OpsCommand, type OpsContext, opsCommand } from './context.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SITE_CHECK = ['run', '--silent', 'doctor:maps', '--', '--json']

/**
 * Checks the paths to the map site, as an agent with this environment on this host would. Runs the agent's program as a
 * process, because the coordinator must not import the agent.
 * @throws AppError `unavailable` with the output of that process when it printed no report.
 */
async function askMapSite(env: Environment): Promise<PathReport> {
  const check = spawn('npm', SITE_CHECK, {
    cwd: ROOT,
    env: { ...env, PATH: programPath(env) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, errors] = await Promise.all([text(check.stdout), text(check.stderr), once(check, 'close')])
  const report = PathReport.safeParse(parsedJson(printed)) // stderr says why there is none
  if (!report.success) throw new AppError('unavailable', `Could not query the map site: ${errors.trim()}`)
  return report.data
}

/** Returns a PATH that begins with this Node, so that the script runs on it. */
const programPath = ({ PATH = '/usr/local/bin:/usr/bin:/bin' }: Environment) =>
  [dirname(process.execPath), PATH].join(delimiter)

const doctorCommand = opsCommand({
  words: 'doctor',
  about: 'check MongoDB, NATS, coordinators, agents and jobs, and say why nothing is collected',
  options: z.object({
    maps: switchOption(
      'ask the map site from this host instead, with each kind of request over plain HTTP and in the browser, and show what came',
    ),
    exit: z
      .string()
      .optional()
      .meta(
        shownAs('exit', 'let an agent with this own address (name or id of `exits list`) ask the map site instead'),
      ),
  }),
  async run(context, { maps, exit }) {
    if (exit !== undefined) return reportThroughAgent(await context.database(), exit)
    return maps ? mapSiteReport(context) : installationReport(context)
  },
})

async function installationReport(context: OpsContext): Promise<Report> {
  const { connect, env } = context
  const diagnosis = diagnose(
    await readState({
      database: connect,
      queue: () => askQueue(env),
      fullDisk: () => askDisk(env),
      proxyAgents: agentNamesSetting().optional().safeParse(env.PROXY_AGENTS).data,
    }),
  )
  const lines = diagnosis.checks.map(
    ({ name, detail, ...check }) => `${verdictOf(check)} ${strong(name.padEnd(11))} ${harmless(detail)}`,
  )
  const text = [...lines, ...failedTaskLines(diagnosis), '', ...diagnosis.advice.map(harmless)]
  return { data: diagnosis, text: text.join('\n'), failed: !diagnosis.healthy }
}

const verdictOf = ({ ok, warning }: Pick<Check, 'ok' | 'warning'>): string =>
  ok && warning ? warned('WARN') : judged(ok, ok ? 'ok  ' : 'FAIL')

async function askDisk(env: Environment): Promise<string | undefined> {
  try {
    return await fullDatabaseDisk({ MONGODB_URL: addressOf('MONGODB_URL', env).url, DATA_DIR: dataDirOf(env) })
  } catch {
    return undefined // the check of MongoDB says why its address is unknown
  }
}

async function askQueue(env: Environment): Promise<QueueState> {
  const { url, from } = addressOf('NATS_URL', env)
  const options = { ...natsServers(url), name: 'ops', timeout: NATS_WITHIN_MS, reconnect: false }
  const connection = await connect(options).catch((cause) => {
    throw new Error(`NATS does not answer at the address in ${from}: ${reasonOf(cause)}`, { cause })
  })
  try {
    return await queueState(connection)
  } finally {
    await connection.close()
  }
}

/** An agent begins within ten seconds, and sends some twenty requests at the pace of its exit. */
const CHECKED_WITHIN_MS = 300_000
const LOOK_MS = 1_000

async function reportThroughAgent(db: Db, named: string): Promise<Report> {
  const before = (await listExits(db)).find(({ id, name }) => id === named || name === named)
  const id = before?.id ?? named
  await askForCheck(db, id)
  for (const until = Date.now() + CHECKED_WITHIN_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const report = (await listExits(db)).find((exit) => exit.id === id)?.check?.report
    if (report) return { data: report, text: pathReportText(report), failed: !report.healthy }
  }
  throw new AppError('unavailable', 'No agent has made the check. See `npm run ops -- agents list` and its log.')
}

async function mapSiteReport({ env }: OpsContext): Promise<Report> {
  const report = await askMapSite(env)
  return { data: report, text: pathReportText(report), failed: !report.healthy }
}

/** Lists the latest failed tasks, if any: when, which agent, which job, and why. */
function failedTaskLines({ failed_tasks: tasks }: { failed_tasks: readonly AnyTask[] }): string[] {
  if (tasks.length === 0) return []
  const lines = tasks.flatMap((task) => {
    const { ended_at, agent = 'unknown agent' } = task.attempts.at(-1) ?? {}
    const when = ended_at === undefined ? 'unknown time' : time(new Date(ended_at))
    return [`  ${when}  ${agent}  job ${task.job_id}`, `    ${failureText(task)}`]
  })
  return ['', strong('The last failed tasks'), ...lines.map(harmless)]
}

export const doctorCommands: OpsCommand[] = [doctorCommand]
