import type { Db } from 'mongodb'
import { isOperator } from '../accounts/roles.ts'
import { createExitStore } from '../exits/store.ts'
import { createAgentRegistry } from '../fleet/agents.ts'
import type { Account } from '../http/authentication.ts'
import type { FleetNames } from '../jobs/tasks/present.ts'
import { attemptsOf } from '../tasks/attempts.ts'
import type { TaskDocument } from '../tasks/documents.ts'

/** Returns the names of the agents and exits of tasks. An exit that nobody has used for a week goes by its id. */
export async function fleetNames(db: Db, tasks: readonly TaskDocument[]): Promise<FleetNames> {
  const attempts = tasks.flatMap(attemptsOf)
  const ids = [...new Set(attempts.flatMap(({ exit }) => exit ?? []))]
  const [agents, { exits }] = await Promise.all([
    createAgentRegistry(db).namesOf([...new Set(attempts.map(({ agent_id }) => agent_id))]),
    createExitStore(db).read(ids),
  ])
  return { agents, exits: new Map(ids.map((id) => [id, exits.get(id)?.name ?? id])) }
}

/** Shows those names to operators alone. */
export const fleetNamesFor = (db: Db) => async (account: Account, tasks: readonly TaskDocument[]) =>
  (await isOperator(db, account)) ? fleetNames(db, tasks) : undefined
