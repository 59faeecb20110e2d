import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Environment } from '@placefleet/shared/config'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'

const CANARY = join(import.meta.dirname, '..', '..', '..', 'agent', 'doctor.ts')

const Answered = z.object({
  places: z.number(),
  failure: z.string().optional(),
  fields: z.array(z.object({ field: z.string(), path: z.string(), came: z.boolean() })),
})
const MapSiteReport = z.object({ healthy: z.boolean(), search: Answered, place: Answered })
export type MapSiteReport = z.infer<typeof MapSiteReport>

/**
 * Asks the map site for one search and one place, as an agent with this environment would. The agent's own program does it,
 * as a process: agent and coordinator share no code but the vocabulary.
 * @throws AppError `unavailable` with what that program said when it gave no report.
 */
export async function askMapSite(env: Environment): Promise<MapSiteReport> {
  const canary = spawn(process.execPath, [CANARY, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [printed, said] = await Promise.all([text(canary.stdout), text(canary.stderr), once(canary, 'close')])
  const report = MapSiteReport.safeParse(parsed(printed))
  if (!report.success) throw new AppError('unavailable', `The map site could not be asked: ${said.trim()}`)
  return report.data
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined // it says on stderr why it printed no report
  }
}
