import type { Context } from '../context.ts'
import type { Exits } from '../exits/exits.ts'
import { pacesOf } from '../exits/paces.ts'
import { pooledExits } from '../exits/pool.ts'
import { createAgentActivity } from './activity.ts'
import { createAgentRegistry, createTaskAgents } from './agents.ts'
import { createRegistrations } from './commands.ts'
import { createIdentities } from './identities.ts'
import { announceJobEnd } from './job-ends.ts'
import { createOpenStreams } from './open-streams.ts'
import { createPathChecks } from './path-checks.ts'
import { createQuota, EXIT_QUOTA, UNKNOWN_QUOTA } from './quota.ts'
import { createUnknownAnswers } from './unknown-answers.ts'

export type Fleet = ReturnType<typeof createFleet>

/** Creates the room of the fleet: its agents and what they report. `startFleet` serves them. */
export function createFleet({ config, log, db, nats }: Context, { exitStore }: Pick<Exits, 'exitStore'>) {
  const agents = createAgentRegistry(db)
  const streams = createOpenStreams()
  return {
    agents,
    streams,
    taskAgents: createTaskAgents(agents, config.PROXY_AGENTS),
    proxyAgents: config.PROXY_AGENTS,
    identities: createIdentities(db),
    registrations: createRegistrations(),
    unknownAnswers: createUnknownAnswers(db),
    unknownQuota: createQuota(log, UNKNOWN_QUOTA),
    exitQuota: createQuota(log, EXIT_QUOTA),
    pathChecks: createPathChecks(db),
    activity: createAgentActivity(db),
    /** Stops the agents of a job that takes no more places, here and at other coordinators. */
    announceEnd: announceJobEnd(nats, streams, log),
    /** The exits that a job without proxies has now: the proxies of the pool, else the addresses of the agents. */
    async fleetExits() {
      const pool = await pooledExits(db)
      return pacesOf(exitStore, pool.length > 0 ? pool : await agents.exits())
    },
  }
}
