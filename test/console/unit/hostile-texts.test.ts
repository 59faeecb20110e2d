// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { HOSTILE_ADDRESSES, HOSTILE_TEXTS } from '../hostile-texts.ts'
import type { Routes, Schemas } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import {
  agent,
  anyTask,
  apiKey,
  change,
  delivery,
  deliveryPage,
  ESTIMATE,
  FULL_PLACE,
  idOf,
  job,
  jobRoutes,
  monitor,
  QUIET_FLEET,
  run,
  webhook,
} from './harness/samples.ts'

const [TEXT = '', OTHER = ''] = HOSTILE_TEXTS
const BEGUN = '2026-01-05T08:00:00.000Z'
const SUPPORT = { id: idOf(80), user_id: idOf(2), category: 'bug' as const, created_at: BEGUN }

/** Elements that no page makes, and attributes with code. A text that was taken for more than text leaves some. */
const MADE_OF_TEXT = 'script, iframe, object, embed, base, form[action], marquee, math, body [onerror], body [onload]'

/** Returns what hostile texts have made of the page: elements, and links that lead elsewhere than http or https. */
function madeOfTexts(): string[] {
  const elements = [...document.querySelectorAll(MADE_OF_TEXT)].map(({ outerHTML }) => outerHTML)
  const links = [...document.querySelectorAll('a[href]')].filter((link) => {
    const { protocol, origin } = new URL(link.getAttribute('href') ?? '', location.href)
    if (/^(mailto|tel):$/.test(protocol)) return false // they open no page
    const leaves = origin !== location.origin || link.getAttribute('target') === '_blank'
    return !/^https?:$/.test(protocol) || (leaves && !link.getAttribute('rel')?.includes('noopener'))
  })
  return [...elements, ...links.map(({ outerHTML }) => outerHTML)]
}

const SOMEWHERE = 'https://example.com/'

/** Fields of a place that hold no text of the site. */
const OWN = /^(id|job_id|user_id|web_presence|place_id|data_id|cid|closed|phone_e164)$|_at$/

/** A place whose page shows a hostile text or address in every field: first the `id`th, then the next. */
function hostilePlace(id: number): Schemas['Result'] {
  let nth = id
  const hostile = (key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value === '' || OWN.test(key)) return value
    const texts = value.startsWith('https:') ? HOSTILE_ADDRESSES : HOSTILE_TEXTS
    return texts[nth++ % texts.length]
  }
  const shown = {
    ...FULL_PLACE,
    limited: undefined,
    link: SOMEWHERE,
    description: 'a',
    price_range: 'b',
    images: [{ title: 'c', url: SOMEWHERE }],
    social_links: { d: SOMEWHERE },
    user_reviews: [{ id: 'r', author: 'e', text: 'f', author_url: SOMEWHERE, images: [], reply: { text: 'g' } }],
  }
  return { ...JSON.parse(JSON.stringify(shown), hostile), id: id + 1 }
}

const PLACES = HOSTILE_TEXTS.map((_, nth) => hostilePlace(nth))

/** Ten places spread over all texts show each of them somewhere, and ten of them in each field. */
const SHOWN = volume(
  PLACES.filter((_, nth) => nth % Math.ceil(PLACES.length / 10) === 0),
  PLACES,
)

describe('hostile texts stay texts, and lead nowhere', () => {
  test('in the table of places', async () => {
    const page = openConsole(`jobs/${job().id}`, jobRoutes(job({ result_count: PLACES.length }), PLACES))
    await page.findAllByText('window.executed=1', { exact: false })
    expect(madeOfTexts()).toEqual([])
  })

  test('in every field of a place', async () => {
    const page = openConsole(`jobs/${job().id}`, jobRoutes(job({ result_count: SHOWN.length }), SHOWN))
    await page.findAllByText(SHOWN[0]?.title ?? '')
    for (const { id, title } of SHOWN) {
      page.go(`jobs/${job().id}?place=${id}`)
      await waitFor(() => {
        const headings = [...document.querySelectorAll('[role=dialog] h2')].map(({ textContent }) => textContent)
        expect(headings).toContain(title)
      })
      expect(madeOfTexts(), title).toEqual([])
    }
  })

  const hostile = job({ name: TEXT, data: { ...job().data, keywords: [OTHER] } })
  const watched = monitor({
    name: TEXT,
    job: { ...monitor().job, name: TEXT, keywords: [OTHER] },
    paused: true,
    pause_reason: OTHER,
  })
  const routes: Routes = {
    ...QUIET_FLEET,
    ...ESTIMATE,
    ...jobRoutes(hostile),
    'GET /api/v1/jobs': { jobs: [hostile], total: 1, page: 1, limit: 25, has_more: false },
    'GET /api/v1/jobs/{id}/deliveries': { deliveries: [{ ...delivery({ body: TEXT }), webhook_id: webhook().id }] },
    'GET /api/v1/monitors': { monitors: [watched] },
    'GET /api/v1/monitors/{id}': watched,
    'GET /api/v1/monitors/{id}/changes': {
      changes: [change({ title: TEXT, fields: { [OTHER]: { before: TEXT, after: [TEXT] } } })],
      has_more: false,
    },
    'GET /api/v1/monitors/{id}/runs': { runs: [run({ state: 'failed', reason: TEXT })] },
    'GET /api/v1/api-keys': [apiKey({ name: TEXT })],
    'GET /api/v1/webhooks': [webhook({ name: TEXT })],
    'GET /api/v1/webhooks/{id}/deliveries': deliveryPage([delivery({ body: TEXT })]),
    'GET /api/v1/admin/agents': { agents: [agent({ host: TEXT })] },
    'GET /api/v1/admin/support': {
      requests: [{ ...SUPPORT, subject: TEXT, message: OTHER }],
    },
    'GET /api/v1/admin/tasks/dead': {
      tasks: [anyTask({ keyword: TEXT })],
    },
    'GET /auth/device/{user_code}': {
      user_code: 'BCDF-GHJK',
      client_name: TEXT,
      client_address: '192.0.2.1',
      created_at: BEGUN,
      expires_at: BEGUN,
    },
  }

  test.each([
    ...['jobs', 'monitors', 'keys', 'webhooks', `webhooks/${webhook().id}`],
    ...['settings', 'deliveries'].map((tab) => `jobs/${hostile.id}?tab=${tab}`),
    ...['changes', 'runs', 'settings'].map((tab) => `monitors/${watched.id}?tab=${tab}`),
    ...[`jobs/new?from=${hostile.id}`, `monitors/new?from=${hostile.id}`],
    ...['fleet', 'operations?tab=support', 'operations?tab=dead', 'connect?code=BCDF-GHJK'],
  ])('on the page %s', async (path) => {
    const page = openConsole(path, routes, { role: 'operator' })
    await page.findAllByText('window.executed=1', { exact: false })
    expect(madeOfTexts()).toEqual([])
  })
})
