import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findUserByEmail } from '@placefleet/coordinator/accounts/store'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startOutsideWorld, type World } from '@placefleet/deploy/simulation/outside-world'
import type { Db } from 'mongodb'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { createAuthority } from '../../harness/network/certificates.ts'
import { RECEIVER_NAMES, startReceiver } from '../../harness/network/receiver.ts'
import { startStripe } from '../../stripe/server.ts'
import { npmStart } from './npm-start.ts'

const OWNER = 'owner@example.com'

/** The delay of the map site's answers. */
export const QUICK = { min: 5, max: 15 }

/** `npm start` before a simulated city, for one file of tests. */
export type Product = {
  url: string
  db: Db
  /** Speaks for the owner, as a program would. */
  client: Client
  /** Where the city's websites and map site are. */
  site: World
  /** A URL for webhooks. It answers 204. */
  receiverUrl: string
  /** Where credits are paid. */
  stripeUrl: string
  ownerId: string
  /** The sign-in link of the start. It works once. */
  startLink: string
  /** Creates another sign-in link for the owner. */
  signInLink(): Promise<string>
  /** Signs the owner in and returns the cookie. */
  session(): Promise<{ name: string; value: string }>
}

const Link = z.object({ url: z.url() })

const STRIPE_KEY = 'sk_test_console'

/**
 * Starts the product as users do, with the default rate limit of sessions, and what it talks to: a city, a receiver of
 * webhooks and a Stripe. They end after the file.
 */
export async function startProduct(places = 480): Promise<Product> {
  const site = await startOutsideWorld({ seed: 11, places, options: { latencyMs: QUICK } })
  afterAll(() => site.close())
  const stripe = await startStripe({ secretKey: STRIPE_KEY })
  afterAll(() => stripe.close())
  const receiver = await startTrustedReceiver()
  const {
    url,
    apiKey,
    dataDir,
    signInLink: startLink,
  } = await npmStart({
    BOOTSTRAP_EMAIL: OWNER,
    BOOTSTRAP_CREDITS: '25',
    RATE_FREE: '100:100', // the tests wait for jobs with an API key
    RATE_JOB_CREATE: '100:100',
    MAPS_BASE_URL: site.site.url,
    EGRESS_ALLOW_HOSTS: new URL(site.proxy.url).host,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    NODE_EXTRA_CA_CERTS: receiver.caFile,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_API_BASE: stripe.url,
    EXIT_RATE: '0',
    COLLECT_RUNG: 'http',
  })
  const { db, close } = await connectMongo(readFileSync(join(dataDir, 'mongodb-url'), 'utf8').trim())
  afterAll(close)
  const owner = await findUserByEmail(db, OWNER)
  if (!owner) throw new Error('the first user was not made')
  const client = createClient(url, apiKey)
  const signInLink = async () =>
    Link.parse((await client.call('POST', `/api/v1/admin/users/${owner._id}/sign-in-link`)).body).url
  const session = async () => cookieOf(await redeem(url, await signInLink()))
  const outside = { site, receiverUrl: receiver.url, stripeUrl: stripe.url }
  return { url, db, client, ...outside, ownerId: owner._id, startLink, signInLink, session }
}

/** Starts a receiver of webhooks. Who has `caFile` as NODE_EXTRA_CA_CERTS trusts its certificate. */
async function startTrustedReceiver(): Promise<{ url: string; host: string; caFile: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-console-ca-'))
  afterAll(() => rmSync(dir, { recursive: true }))
  const authority = await createAuthority()
  const caFile = join(dir, 'ca.pem')
  writeFileSync(caFile, authority.ca)
  const { url, host, close } = await startReceiver(await authority.issue(RECEIVER_NAMES))
  afterAll(close)
  return { url, host, caFile }
}

/** Exchanges the token of a sign-in link for a session, as the console does. */
function redeem(url: string, link: string): Promise<Response> {
  const token = new URL(link).hash.replace('#link=', '')
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  return fetch(`${url}/auth/link`, { method: 'POST', headers, body: JSON.stringify({ token }) })
}

function cookieOf({ status, headers }: Response): { name: string; value: string } {
  const [name, value] = headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? []
  if (!name || !value) throw new Error(`signing in was answered with ${status}`)
  return { name, value }
}
