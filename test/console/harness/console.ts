import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startAgent } from '@placefleet/agent/app'
import { type AgentConfig, readAgentConfig } from '@placefleet/agent/config'
import { type World as City, startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { createDemoCity } from '@placefleet/deploy/standalone/demo-city'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import type { Db } from 'mongodb'
import { afterAll } from 'vitest'
import { AGENT_TOKEN, addCoordinator, startWorld, type World } from '../../harness/coordinator/world.ts'
import { createAuthority } from '../../harness/network/certificates.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { RECEIVER_NAMES, startReceiver } from '../../harness/network/receiver.ts'
import { SECRET_KEY, startStripe } from '../../stripe/server.ts'
import { startBrowser } from './browser.ts'
import { type NewUser, newUsers } from './user.ts'

/** The delay of the map site's answers. */
export const QUICK = { min: 5, max: 15 }

/** Signs the first operator in, once. */
const ADMIN_TOKEN = 'a token for the first operator'

/** The product in this process, what it talks to, and a browser in front of it, for one file of tests. */
export type RunningConsole = {
  url: string
  db: Db
  /** The map site, the websites and the proxy of its agent. */
  city: City
  /** A URL for webhooks. It answers 204. */
  receiverUrl: string
  /** Where credits are paid. */
  stripeUrl: string
  newUser: NewUser
}

/**
 * Starts a coordinator with the built console and an agent in front of a simulated city, a receiver of webhooks, a
 * Stripe and one Chromium. Sessions have their default rate limit. All of it ends after the file.
 */
export async function startConsole(): Promise<RunningConsole> {
  const world = await startWorld(afterAll)
  const city = await startOutsideWorld({ seed: 11, places: 480, options: { latencyMs: QUICK } })
  afterAll(() => city.close())
  const stripe = await startStripe(afterAll)
  const receiver = await startTrustedReceiver()
  const PORT = String(await freePort()) // Stripe sends people back to it
  const { url, db } = await startProduct(world, city, {
    PORT,
    ADMIN_TOKEN,
    EGRESS_ALLOW_HOSTS: new URL(city.proxy.url).hostname,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_API_BASE: stripe.url,
  })
  const newUser = newUsers({ url, db, openTab: await startBrowser(url) })
  return { url, db, city, receiverUrl: receiver.url, stripeUrl: stripe.url, newUser }
}

/** Starts a coordinator, the city of its demo jobs, and its agent, which collects from another city. */
async function startProduct(world: World, { site, proxy }: City, env: Record<string, string>) {
  const agentConfig = (): AgentConfig =>
    readAgentConfig({
      NATS_URL: world.natsAgentUrl,
      COORDINATOR_GRPC: coordinator.grpc,
      AGENT_TOKEN,
      AGENT_NAME: 'cellar',
      MAPS_BASE_URL: site.url,
      EGRESS_ALLOW_HOSTS: new URL(proxy.url).hostname,
      EXIT_RATE: '0',
      COLLECT_RUNG: 'http',
    })
  const demoCity = createDemoCity(agentConfig, world.log, { latencyMs: QUICK })
  const coordinator = await addCoordinator(world, env, { demoCity })
  world.life.own('demo city', demoCity, (opened) => opened.close())
  const life = createLifecycle(world.log)
  world.life.own('agent', await startAgent(agentConfig(), world.log, life), async (agent) => {
    await agent.drain()
    await life.close()
  })
  return { ...coordinator, db: world.db }
}

/** Starts a receiver of webhooks whose certificate this process trusts until the end of the file. */
async function startTrustedReceiver(): Promise<{ url: string; host: string }> {
  const authority = await createAuthority()
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, authority.ca])
  afterAll(() => setDefaultCACertificates(trusted))
  const { url, host, close } = await startReceiver(await authority.issue(RECEIVER_NAMES))
  afterAll(close)
  return { url, host }
}
