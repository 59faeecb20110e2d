import { changesOf } from '@placefleet/coordinator/monitors/changes/documents'
import { runId, runsOf } from '@placefleet/coordinator/monitors/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { endedAttempt } from '@placefleet/coordinator/tasks/attempts'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { startConsole } from './harness/console.ts'
import type { User } from './harness/user.ts'
import { HOSTILE_ADDRESSES, HOSTILE_TEXTS } from './hostile-texts.ts'

const { db, url, receiverUrl, newUser } = await startConsole()

/** What would run if any page took stored text for more than text. */
const executed = (page: Page) => page.evaluate('window.executed')

test(`${HOSTILE_TEXTS.length} hostile texts in every field of places execute nothing and lead nowhere`, async () => {
  const user = await newUser('operator')
  const { client } = user
  const paths = await hostilePages(user)
  const id = await client.create({ keywords: ['bakery', 'cafe', 'hotel'], max_results: HOSTILE_TEXTS.length })
  await client.ended(id)
  const places = await resultsOf(db)
    .find({ job_id: id, place: { $exists: true } })
    .toArray()
  expect(places).toHaveLength(HOSTILE_TEXTS.length)
  for (const [nth, { _id }] of places.entries()) {
    const text = HOSTILE_TEXTS[nth] ?? ''
    const address = HOSTILE_ADDRESSES[nth % HOSTILE_ADDRESSES.length] ?? ''
    await resultsOf(db).updateOne({ _id }, { $set: { ...hostileFields(text, address) } })
  }
  const page = await user.openTab()
  page.on('dialog', () => expect.unreachable('a dialog was opened'))

  await page.goto('/console/jobs')
  for (const path of [...paths, `jobs/${id}`, `jobs/${id}?page=2`]) {
    await showOtherPage(page, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const text = page.getByText('window.executed=1').filter({ visible: true }).first()
    await text.waitFor().catch((cause) => expect.unreachable(`${path} shows no hostile text: ${cause}`))
    expect(await executed(page)).toBeUndefined()
    expect(await unsafeLinks(page, url)).toEqual([])
  }
  for (const { _id } of places.filter((_, nth) => nth % 10 === 0)) {
    await showOtherPage(page, `jobs/${id}?place=${_id}`)
    await page.getByRole('heading', { name: /^Reviews/ }).waitFor()
    expect(await unsafeLinks(page, url)).toEqual([])
    expect(await executed(page)).toBeUndefined()
  }
}, 120_000)

/** Shows another page as the links of the console do, after one without stored texts: nothing of the last page is left. */
async function showOtherPage(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console/nowhere')`)
  await page.getByRole('link', { name: 'Go to jobs' }).waitFor()
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console/${path}`)})`)
}

/** Creates things with hostile texts. Returns the paths of the pages that show them. */
async function hostilePages(user: User): Promise<string[]> {
  const { client } = user
  const [name = '', ...others] = HOSTILE_TEXTS
  const [key, webhook, subject, message = '', client_name] = others.slice(4)
  await client.call('POST', '/api/v1/api-keys', { name: key })
  const made = await client.call('POST', '/api/v1/webhooks', { name: webhook, url: receiverUrl })
  await client.call('POST', '/api/v1/support', { category: 'bug', subject, message })
  const login = await client.call('POST', '/auth/device', { client_name })
  const job = await client.create({ name, keywords: others.slice(0, 4), max_results: 1 })
  await client.ended(job)
  const failure = { code: 'layout_changed', message } as const
  const failed = { state: 'failed', failure: { $literal: failure }, ended_at: new Date() }
  await tasksOf(db).updateOne({ job_id: job }, [{ $set: endedAttempt('failed', failure) }, { $set: failed }])
  const agents = db.collection<{ _id: string; host: string }>('agents')
  await agents.insertOne({ ...(await agents.findOne()), _id: 'hostile/1', host: name })
  const monitor = await hostileMonitor(user, job)
  return [
    ...['jobs', 'monitors', 'keys', 'credits', 'webhooks', `webhooks/${(made.body as { id: string }).id}`],
    ...['settings', 'deliveries'].map((tab) => `jobs/${job}?tab=${tab}`),
    ...['changes', 'runs', 'settings'].map((tab) => `monitors/${monitor}?tab=${tab}`),
    ...[`jobs/new?from=${job}`, `monitors/new?from=${job}`],
    ...['fleet', 'operations?tab=support', 'operations?tab=dead'],
    `connect?code=${(login.body as { user_code: string }).user_code}`,
  ]
}

/** Creates a paused monitor whose name, reason, run and change are hostile. */
async function hostileMonitor({ client }: User, job_id: string): Promise<string> {
  const [name = '', pause_reason = '', reason = '', title = '', field = '', before = ''] = HOSTILE_TEXTS.slice(9, 15)
  const job = { name, keywords: [name], language: 'en' }
  const made = await client.call('POST', '/api/v1/monitors', { name, schedule: { every: '12h' }, job })
  const { id: monitor_id } = made.body as { id: string }
  await client.call('PATCH', `/api/v1/monitors/${monitor_id}`, { paused: true, pause_reason })
  const at = new Date()
  await runsOf(db).insertOne({
    _id: runId(monitor_id, at),
    monitor_id,
    user_id: 'user',
    at,
    begins_at: at,
    state: 'failed',
    reason,
  })
  await changesOf(db).insertOne({
    monitor_id,
    sequence: 1,
    place_key: title,
    title,
    job_id,
    run_at: at,
    seen_at: at,
    type: 'changed',
    fields: { [field.replace(/[.$]/g, '')]: { before, after: [before] } },
  })
  return monitor_id
}

/** The fields of a place that its page shows, all of them hostile. */
function hostileFields(text: string, address: string) {
  return {
    'place.title': text,
    'place.category': text,
    'place.address': text,
    'place.phone': text,
    'place.website': address,
    'place.link': address,
    'place.description': text,
    'place.status': text,
    'place.price_range': text,
    'place.emails': [text],
    'place.email_details': [{ email: text, mx: false, generic: true }],
    'place.images': [{ title: text, url: address }],
    'place.social_links': { [text.replace(/[.$]/g, '').slice(0, 50) || 'x']: address },
    'place.open_hours': { Monday: [text] },
    'place.local_title': text,
    'place.local_address': text,
    'place.time_spent': text,
    'place.booking_links': [{ link: address, source: text }],
    'place.posts': [{ text, link: address, image: address }],
    'place.services': [{ name: text, items: [{ name: text, price: text, description: text }] }],
    'place.questions': [{ question: text, answers: [text] }],
    'place.popular_dishes': [{ name: text, image: address }],
    'place.also_searched': [{ title: text }],
    'place.review_topics': [{ topic: text, count: 1 }],
    'place.user_reviews': [{ id: 'r', author: text, text, author_url: address, reply: { text } }],
  }
}

/** Links that lead elsewhere than http or https, or that let the other page reach back. */
async function unsafeLinks(page: Page, url: string): Promise<string[]> {
  const links = await page.locator('a[href]').evaluateAll((anchors) =>
    anchors.map((anchor) => ({
      href: anchor.getAttribute('href') ?? '',
      target: anchor.getAttribute('target'),
      rel: anchor.getAttribute('rel') ?? '',
    })),
  )
  return links
    .filter(({ href, target, rel }) => {
      const { protocol, origin } = new URL(href, url)
      if (/^(mailto|tel):$/.test(protocol)) return false // they open no page
      const outside = origin !== new URL(url).origin
      return !/^https?:$/.test(protocol) || ((outside || target === '_blank') && !rel.includes('noopener'))
    })
    .map(({ href }) => href)
}
