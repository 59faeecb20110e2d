import { startAgent } from '@placefleet/agent/app'
import { readAgentConfig } from '@placefleet/agent/config'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { findUserByEmail } from '@placefleet/coordinator/accounts/store'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import type { Db } from 'mongodb'
import { afterAll } from 'vitest'
import type { Client } from '../../harness/coordinator/client.ts'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

export const OWNER = 'owner@example.com'

/** The whole product before a simulated city, for one file of tests. */
export type Product = {
  url: string
  db: Db
  /** Speaks for the owner, as a program would. */
  client: Client
  /** Where the city's websites and map site are. */
  site: Awaited<ReturnType<typeof startOutsideWorld>>
  ownerId: string
  /** Begins a session of a user and gives its cookie. */
  session(user_id: string): Promise<{ name: string; value: string }>
}

export type ProductOptions = { places?: number; latencyMs?: { min: number; max: number }; env?: Record<string, string> }

/** Starts coordinator, agent and city; all of it ends after the file. The rate limit of sessions is the real one. */
export async function startProduct({ places = 480, latencyMs, env = {} }: ProductOptions = {}): Promise<Product> {
  const site = await startOutsideWorld({ seed: 11, places, ...(latencyMs ? { options: { latencyMs } } : {}) })
  afterAll(() => site.close())
  const world = await startWorld(afterAll)
  const { db } = world
  const { url, grpc, client } = await addCoordinator(world, {
    BOOTSTRAP_CREDITS: '25',
    EGRESS_ALLOW_HOSTS: new URL(site.proxy.url).host,
    ...env,
  })
  const agent = readAgentConfig({
    COORDINATOR_GRPC: grpc,
    NATS_URL: world.natsAgentUrl,
    AGENT_TOKEN,
    AGENT_NAME: 'agent-1',
    COLLECT_RUNG: 'http',
    MAPS_BASE_URL: site.site.url,
    EXIT_RATE: '0',
    EGRESS_ALLOW_HOSTS: new URL(site.proxy.url).host,
  })
  const { drain } = await startAgent(agent, world.log, world.life)
  world.life.own('agent', drain, (end) => end())
  const owner = await findUserByEmail(db, OWNER)
  if (!owner) throw new Error('the first user was not made')
  const session = async (user_id: string) => ({
    name: 'placefleet_session',
    value: (await createSession(db, user_id)).secret,
  })
  return { url, db, client, site, ownerId: owner._id, session }
}
