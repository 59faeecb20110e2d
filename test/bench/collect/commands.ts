import type { Db } from 'mongodb'
import { z } from 'zod'

/** The number of commands of each kind that a database ran. */
export type Commands = Readonly<Record<string, number>>

const Status = z.object({ metrics: z.object({ commands: z.record(z.string(), z.unknown()) }) })

/** The counts of one kind of command. The server adds a count of unknown commands. */
const Counted = z.object({ total: z.coerce.number() })

/** Commands that drivers and this measurement send. */
const NOT_OURS = ['hello', 'isMaster', 'serverStatus', 'ping', 'endSessions']

/** Reads the counts since the server's start. */
export async function readCommands(db: Db): Promise<Commands> {
  const { metrics } = Status.parse(await db.admin().command({ serverStatus: 1 }))
  const counted = Object.entries(metrics.commands).flatMap(([name, value]) => {
    const { success, data } = Counted.safeParse(value)
    return success && data.total > 0 && !NOT_OURS.includes(name) ? [[name, data.total] as const] : []
  })
  return Object.fromEntries(counted)
}

/** Returns the commands between two readings, the most frequent kind first. */
export function commandsSince(before: Commands, after: Commands): Commands {
  const counted = Object.entries(after).map(([name, total]) => [name, total - (before[name] ?? 0)] as const)
  return Object.fromEntries(counted.filter(([, count]) => count > 0).sort(([, one], [, other]) => other - one))
}
