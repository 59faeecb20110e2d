import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { addAgent } from '../harness/agents/agent.ts'
import { keyOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { fetchDocument, operationsOf } from '../harness/coordinator/open-api.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { SECRET_KEY, startStripe } from '../stripe/server.ts'
import { installPackages, program, run } from './packages.ts'
import { ADMIN_TOKEN, ENDLESS, type Needs, prepareOperations } from './prepared.ts'

const SEED = process.env.SCHEMATHESIS_SEED ?? '1'
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '20'

const AMPLE = '100000:100000'
const SETTINGS = {
  RATE_ADDRESS: AMPLE,
  RATE_SUPPORT: AMPLE,
  RATE_SESSION: AMPLE,
  RATE_PAID: AMPLE,
  BOOTSTRAP_CREDITS: '1000000', // many examples create jobs, and each holds what it may cost
  MAX_CONCURRENT_JOBS_FREE: '10000',
  MAX_CONCURRENT_JOBS_PAID: '10000',
  ADMIN_TOKEN,
  ADMIN_EMAIL: 'admin@example.com',
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: 'whsec_stand_in_for_stripe',
}

/** It succeeds only with an agent that reaches the map site: coordinator/fleet/path-checks.services.test.ts has one. */
const NEEDS_MAP_SITE = 'POST /api/v1/admin/exits/{id}/check'

const Report = z.object({
  valid_rates: z.record(z.string(), z.record(z.string(), z.object({ accepted: z.int() }))),
})

const folder = temporaryDir(afterAll)

beforeAll(installPackages)

/** Starts a coordinator with payments and an agent. */
async function startDeployment() {
  const stripe = await startStripe()
  const world = await startWorld()
  const { url, grpc } = await addCoordinator(world, { ...SETTINGS, STRIPE_API_BASE: stripe.url })
  const endless = 99
  const collector = scriptedCollector({
    find: (keyword) => (keyword === ENDLESS ? [endless] : [1, 2]),
    before: async (_task, { place_key }, signal) => {
      if (place_key === keyOf(endless)) await new Promise((stopped) => signal.addEventListener('abort', stopped))
    },
  })
  await addAgent(world, grpc, collector)
  const owner = await usersOf(world.db).findOne()
  return { url, db: world.db, user_id: owner?._id ?? '', stripe }
}

/** Writes what operations need as settings of schemathesis. Half of the valid requests use the values. */
function settingsOf(needs: Record<string, Needs>): string {
  return Object.entries(needs)
    .map(([operation, { values = {}, cookie }]) => {
      const names = Object.keys(values)
      const dictionaries = names.map(
        (name) => `[dictionaries."${operation} ${name}"]\nvalues = ${JSON.stringify(values[name])}\n`,
      )
      const bindings = names.map((name) => `"${name}" = { dictionary = "${operation} ${name}", probability = 0.5 }`)
      // The cookie goes with every request, so no request tells what happens without a credential.
      const own = `headers = { Cookie = "${cookie}", Sec-Fetch-Site = "same-origin" }
checks.ignored_auth.enabled = false
generation.mode = "positive"\n`
      return `${dictionaries.join('')}[[operations]]\ninclude-operation-id = "${operation}"
parameters = { ${bindings.join(', ')} }\n${cookie === undefined ? '' : own}`
    })
    .join('\n')
}

test(`schemathesis finds no fault, and every operation succeeds (seed ${SEED}, ${EXAMPLES} examples per operation)`, async () => {
  const deployment = await startDeployment()
  const settings = readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8')
  const config = join(folder, 'schemathesis.toml')
  writeFileSync(config, `${settings}\n${settingsOf(await prepareOperations(deployment))}`)
  const report = join(folder, 'report.json')
  const args = ['--config-file', config, 'run', `${deployment.url}/openapi.json`, '--seed', SEED, '-n', EXAMPLES]
  const env = {
    ...process.env,
    API_KEY,
    SESSION: (await createSession(deployment.db, deployment.user_id)).secret,
    SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_checks.py'),
  }
  const options = { cwd: folder, env, maxBuffer: 50_000_000 }

  const found = await run(program('schemathesis'), [...args, '--report-json-path', report], options).then(
    ({ stdout }) => ({ failed: false, stdout }),
    ({ stdout }: { stdout: string }) => ({ failed: true, stdout }),
  )

  console.log(found.stdout.slice(found.stdout.indexOf('Test cases:')))
  expect(found.failed, found.stdout).toBe(false)
  const { valid_rates } = Report.parse(JSON.parse(readFileSync(report, 'utf8')))
  // An operation that met 401 or 403 only is not in the report.
  const succeeded = Object.entries(valid_rates).flatMap(([operation, phases]) =>
    Object.values(phases).some(({ accepted }) => accepted > 0) ? [operation] : [],
  )
  const operations = operationsOf(await fetchDocument(deployment.url)).map(({ method, path }) => `${method} ${path}`)
  expect(succeeded.toSorted()).toEqual(operations.filter((operation) => operation !== NEEDS_MAP_SITE).toSorted())
})
