import { randomUUID } from 'node:crypto'
import { PathReport } from '@placefleet/shared/path-report'
import { parsedJson } from '@placefleet/shared/text'
import type { Collection, Db } from 'mongodb'
import { batchedTogether } from '../mongo/batched.ts'
import { collection } from '../mongo/connect.ts'
import { BY_ID, indexesOf } from '../mongo/indexes.ts'
import { ContractViolation } from './call.ts'

/** The last check of the paths to the map site through an exit that an operator asked for. */
export type PathCheck = {
  _id: string
  check_id: string
  asked_at: Date
  /** The process that makes it. Absent until one has taken it. */
  agent_id?: string
  /** Absent until it has ended. */
  report?: PathReport
}

/** How long a check is shown. */
const SHOWN_SECONDS = 7 * 24 * 3600
/** An agent is a stranger. A report has some 10 kB. */
const MAX_REPORT = 100_000

const checksOf = (db: Db): Collection<PathCheck> => collection(db, 'path_checks')

export const pathCheckIndexes = Object.values(
  indexesOf('path_checks', { expiry: { key: { asked_at: 1 }, expireAfterSeconds: SHOWN_SECONDS } }),
)

/** The checks of the paths to the map site, one for each exit. */
export type PathChecks = {
  /** Asks an agent of an exit for a check. It replaces the last one. */
  ask(exit: string): Promise<void>
  /** Gives the check of an exit that no agent has taken to a process. Undefined when there is none. */
  take(exit: string, agent_id: string): Promise<string | undefined>
  /**
   * Records the report of the process that took a check. Changes nothing when another check was asked for since.
   * @throws ContractViolation when it is no report.
   */
  record(exit: string, agent_id: string, checked: { check_id: string; report: string }): Promise<void>
  list(): Promise<PathCheck[]>
}

export function createPathChecks(db: Db): PathChecks {
  const checks = checksOf(db)
  // Every agent asks with each description, and next to never is there one to take.
  const take = batchedTogether<{ exit: string; agent_id: string }, string | undefined>(async (calls) => {
    const waiting = { _id: { $in: calls.map(({ exit }) => exit) }, agent_id: { $exists: false } }
    const exits = new Set((await checks.find(waiting, BY_ID).toArray()).map(({ _id }) => _id))
    const checksOfCalls: (PathCheck | null)[] = []
    for (const { exit, agent_id } of calls) {
      const untaken = { _id: exit, agent_id: { $exists: false } }
      checksOfCalls.push(exits.has(exit) ? await checks.findOneAndUpdate(untaken, { $set: { agent_id } }) : null)
    }
    return (nth) => checksOfCalls[nth]?.check_id
  })
  return {
    async ask(exit) {
      const check = { check_id: randomUUID(), asked_at: '$$NOW' }
      await checks.updateOne({ _id: exit }, [{ $replaceWith: { $mergeObjects: [{ _id: '$_id' }, check] } }], {
        upsert: true,
      })
    },
    take: (exit, agent_id) => take({ exit, agent_id }),
    async record(exit, agent_id, { check_id, report }) {
      const read = PathReport.safeParse(report.length > MAX_REPORT ? undefined : parsedJson(report))
      if (!read.success) throw new ContractViolation('an invalid report of the paths to the map site')
      await checks.updateOne({ _id: exit, agent_id, check_id }, { $set: { report: read.data } })
    },
    list: () => checks.find().toArray(),
  }
}
