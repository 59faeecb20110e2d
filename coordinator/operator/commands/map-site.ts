import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Environment } from '@placefleet/shared/config'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'

/** The npm script of the agent's site check, because the coordinator must not import the agent. */
const ROOT = join(import.meta.dirname, '..', '..', '..')
const SITE_CHECK = ['run', '--silent', 'doctor:maps', '--', '--json']

const Answered = z.object({
  ok: z.boolean(),
  places: z.number(),
  failure: z.string().optional(),
  fields: z.array(z.object({ field: z.string(), path: z.string(), came: z.boolean() })),
})
const MapSiteReport = z.object({
  healthy: z.boolean(),
  conclusion: z.string(),
  search: Answered,
  place: Answered,
  reviews: z.array(z.object({ door: z.string(), verdict: z.string(), reviews: z.number() })),
  chromium_problem: z.string().optional(),
})
export type MapSiteReport = z.infer<typeof MapSiteReport>

/**
 * Requests one search and one place from the map site, as an agent with this environment would. Runs the agent's site
 * check as a process, because the coordinator must not import the agent.
 * @throws AppError `unavailable` with the output of that process when it printed no report.
 */
export async function askMapSite(env: Environment): Promise<MapSiteReport> {
  const check = spawn('npm', SITE_CHECK, {
    cwd: ROOT,
    env: { ...env, PATH: programPath(env) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, said] = await Promise.all([text(check.stdout), text(check.stderr), once(check, 'close')])
  const report = MapSiteReport.safeParse(parsed(printed))
  if (!report.success) throw new AppError('unavailable', `Could not query the map site: ${said.trim()}`)
  return report.data
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // stderr says why there is no report
  }
}

/** Returns a PATH that begins with this Node, so that the script runs on it. */
const programPath = ({ PATH = '/usr/local/bin:/usr/bin:/bin' }: Environment) =>
  [dirname(process.execPath), PATH].join(delimiter)
