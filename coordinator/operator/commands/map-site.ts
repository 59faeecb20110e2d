import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Environment } from '@placefleet/shared/config'
import { PathReport } from '@placefleet/shared/path-report'
import { parsedJson } from '@placefleet/shared/text'
import { AppError } from '../../http/errors.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SITE_CHECK = ['run', '--silent', 'doctor:maps', '--', '--json']

/**
 * Checks the paths to the map site, as an agent with this environment on this host would. Runs the agent's program as a
 * process, because the coordinator must not import the agent.
 * @throws AppError `unavailable` with the output of that process when it printed no report.
 */
export async function askMapSite(env: Environment): Promise<PathReport> {
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
