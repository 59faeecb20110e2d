// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { brokenRules } from './harness/axe.ts'
import type { Routes } from './harness/fake-api.ts'
import { type Opened, openConsole } from './harness/open-console.ts'
import {
  agent,
  apiKey,
  delivery,
  deliveryPage,
  FULL_PLACE,
  idOf,
  job,
  jobRoutes,
  knownPlace,
  monitor,
  QUIET_FLEET,
  user,
  webhook,
} from './harness/samples.ts'

const SECRET = `whsec_${'a'.repeat(40)}`
const { name, url } = webhook()

const ROUTES: Routes = {
  ...QUIET_FLEET,
  ...jobRoutes(job({ result_count: 1 }), [FULL_PLACE]),
  'GET /api/v1/admin/agents': { agents: [agent({ name: 'attic' })] },
  'GET /api/v1/admin/users': { users: [user()], total: 1, page: 1, limit: 25, has_more: false },
  'GET /api/v1/api-keys': [apiKey()],
  'GET /api/v1/known-places': { known_places: [knownPlace('0xa:0xb')], has_more: false },
  'GET /api/v1/monitors/{id}': monitor(),
  'GET /api/v1/monitors/{id}/changes': { changes: [], has_more: false },
  'GET /api/v1/webhooks': [webhook()],
  'GET /api/v1/webhooks/{id}/deliveries': deliveryPage([delivery()]),
  'POST /api/v1/admin/agents': {
    name: 'barn',
    token: 'agt_1',
    environment: 'AGENT_TOKEN=agt_1',
    command: 'docker',
    checkout_command: 'npm',
  },
  'POST /api/v1/admin/users/{id}/sign-in-link': { url, expires_at: user().created_at },
  'POST /api/v1/api-keys': {
    id: idOf(31),
    name: 'A test',
    key: `svc_${'a'.repeat(43)}`,
    key_hint_prefix: 'svc_',
    key_hint_suffix: 'aaaa',
  },
  'POST /api/v1/webhooks/{id}/rotate-secret': { id: webhook().id, name, url, secret: SECRET },
}

type Open = (page: Opened) => Promise<unknown>
const asks =
  (button: string | RegExp): Open =>
  async (page) =>
    page.press(button)
const chooses =
  (row: string, action: string): Open =>
  async (page) =>
    page.choose(row, action)

/** Opens a form, fills its first field and sends it, which opens a dialog with a secret. */
const makes =
  (opener: string, field: string, value: string, button: string): Open =>
  async (page) => {
    await page.press(opener)
    await page.fill(field, value)
    await page.press(button)
    await page.findByRole('button', { name: 'I have copied it' })
  }

const OF_MONITOR = `monitors/${monitor().id}`
const OF_WEBHOOK = `webhooks/${webhook().id}`
const USERS = 'operations?tab=users'

test.each<[name: string, path: string, open: Open]>([
  ['a place', `jobs/${job().id}?place=1`, async () => undefined],
  ['a delivery', OF_WEBHOOK, asks('Details of job.completed')],
  ['forget all places', 'known-places', asks('Forget all')],
  ['pause a monitor', OF_MONITOR, asks('Pause')],
  ['delete a monitor', OF_MONITOR, asks('Delete')],
  ['limits of a key', 'keys', asks(/^Change the limits of/)],
  ['revoke a key', 'keys', asks(/^Revoke /)],
  ['a new key', 'keys', makes('New key', 'What is the key for?', 'A test', 'Create key')],
  ['a new webhook', 'webhooks', asks('New webhook')],
  ['edit a webhook', OF_WEBHOOK, asks('Edit')],
  ['revoke a webhook', OF_WEBHOOK, asks('Revoke')],
  ['a new secret?', OF_WEBHOOK, asks('New secret')],
  [
    'the secret of a webhook',
    OF_WEBHOOK,
    async (page) => {
      await page.press('New secret')
      await page.pressInDialog('New secret')
      await page.findByRole('region', { name: 'The secret' })
    },
  ],
  ['revoke an agent', 'fleet', chooses('attic', 'Revoke')],
  ['the token of an agent', 'fleet', makes('New agent', 'Name of the agent', 'barn', 'Enrol an agent')],
  ['make an operator', USERS, chooses(user().email, 'Make an operator')],
  ['grant credits', USERS, chooses(user().email, 'Grant credits')],
  ['a sign-in link', USERS, chooses(user().email, 'Sign-in link')],
  [
    'set prices',
    'operations?tab=prices',
    async (page) => {
      await page.fill('From', '2099-01-01T00:00')
      await page.fill('Reviews', '0.5')
      await page.press('Set prices')
    },
  ],
  ['the menu of settings', 'support', asks(/^Your settings/)],
])('the dialog “%s” has a name and is accessible', async (_, path, open) => {
  const page = openConsole(path, { ...ROUTES }, { role: 'operator' })
  await open(page)
  await page.findByRole('dialog', { name: /./ })
  expect(await brokenRules('[role=dialog]')).toEqual([])
})
