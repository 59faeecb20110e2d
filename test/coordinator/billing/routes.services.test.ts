import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { creditRoutes } from '@placefleet/coordinator/billing/ledger/routes'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { DEFAULT_PRICES } from '@placefleet/coordinator/billing/prices/cost'
import { costRoutes, type JobForCosts } from '@placefleet/coordinator/billing/prices/cost-routes'
import { estimateRoutes } from '@placefleet/coordinator/billing/prices/estimate-routes'
import { EstimateAnswer } from '@placefleet/coordinator/billing/prices/estimate-schema'
import { createPriceRules } from '@placefleet/coordinator/billing/prices/price-rules'
import { checkoutNotConfigured } from '@placefleet/coordinator/billing/purchases/payments'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { createTowns } from '@placefleet/coordinator/towns/find-towns'
import { createTownNear } from '@placefleet/coordinator/towns/near'
import { afterAll, describe, expect, test } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const store = mongoLedgerStore(db)
const ledger = createLedger(store)
const holds = createHolds(ledger)
const NOW = new Date('2026-01-01T12:00:00.900Z')

/** The jobs of users that have costs. */
const jobsOf = new Map<string, JobForCosts[]>()

const prices = createPriceRules(db, () => NOW)
const routes = async (server: Server) => {
  const prefix = '/api/v1'
  const counts = { countKnown: async () => 0, fleetExits: async () => [], townNear: createTownNear(createTowns()) }
  const findJobsForCosts = async (user_id: string, ids: string[]) =>
    (jobsOf.get(user_id) ?? []).filter((job) => ids.includes(job.job_id))
  await server.register(estimateRoutes, { prefix, prices, ledger, ...counts, now: () => NOW })
  await server.register(costRoutes, { prefix, findJobsForCosts })
  await server.register(creditRoutes, { prefix, store, checkout: checkoutNotConfigured })
}
const api = await startApi(db, { routes }, afterAll)

const bonus = (user_id: string, amount: number, id = 'first') =>
  grant(ledger, {
    user_id,
    amount,
    type: 'bonus',
    reference: { reference_type: 'grant', reference_id: id },
    description: 'Welcome',
  })

describe('POST /jobs/estimates', () => {
  const path = '/api/v1/jobs/estimates'

  test('says whether the available credits cover the lower bound, and must not be cached', async () => {
    const { user_id, key } = await testUser(db)
    await bonus(user_id, 227_000)
    const body = { keywords: ['cafe'], max_results: 50, max_reviews: 0 }
    const covered = await api.call('POST', path, { key, body })
    expect(covered.status).toBe(200)
    expect(covered.headers.get('cache-control')).toBe('no-store')
    expect(covered.body).toMatchObject({
      estimate: { places: 50, places_min: 40, places_max: 50, total: 0.157, total_min: 0.127, total_max: 0.157 },
      balance: { current: 0.227, sufficient: true },
    })
    const balanceAfter = async (held: number) => {
      await holds.reserve({ user_id, job_id: `of ${held}`, max: held, min: 1 })
      return (await api.call('POST', path, { key, body })).body
    }
    expect(await balanceAfter(100_000)).toMatchObject({ balance: { current: 0.127, sufficient: true } })
    expect(await balanceAfter(1)).toMatchObject({ balance: { current: 0.126999, sufficient: false } })
  })

  test('says how long the job takes, and what this assumes: its proxies, else the exits of the fleet, at least one', async () => {
    const { key } = await testUser(db)
    const estimate = async (more: object) => {
      const body = { keywords: ['cafe'], max_results: 100, max_reviews: 0, ...more }
      return EstimateAnswer.parse((await api.call('POST', path, { key, body })).body).estimate
    }
    const one = await estimate({})
    expect(one.time_assumes).toEqual({ requests: 83, exits: 1, requests_per_minute: { first: 20, most: 60 } })
    expect(one.fast_mode_seconds).toBe(24) // 8 requests instead of 83
    const proxies = Array.from({ length: 5 }, (_, n) => `http://proxy-${n}.example:8080`)
    expect((await estimate({ proxies })).time_assumes.exits).toBe(5)
    expect(await estimate({ fast_mode: true })).toMatchObject({ time_assumes: { requests: 8 } })
    for (const area of [{ radius: 5_000 }, { bbox: [13, 52, 14, 53] }, { area: { type: 'Polygon' } }])
      expect((await estimate(area)).time_assumes.requests).toBeGreaterThan(83)
  })

  test('holds for 15 minutes, or until other prices begin', async () => {
    const { key } = await testUser(db)
    const at = NOW.getTime()
    const expiry = async () => (await api.call('POST', path, { key, body: { keywords: ['cafe'] } })).body
    const seconds = Math.floor(at / 1_000)
    expect(await expiry()).toMatchObject({ estimate: { expires_at: seconds + 900 } })
    await prices.add({ ...DEFAULT_PRICES, place_scraped: 9_000 }, new Date(at + 3_600_000))
    expect(await expiry()).toMatchObject({ estimate: { expires_at: seconds + 900 } })
    await db.collection('price_rules').updateMany({}, { $set: { from: new Date(at + 60_000) } })
    expect(await expiry()).toMatchObject({
      estimate: { expires_at: seconds + 60, unit_prices: { place_scraped: 0.003 } },
    })
    await db.collection('price_rules').deleteMany({})
  })
})

describe('cost reports', () => {
  const first = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const second = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  const job = (job_id: string): JobForCosts => ({
    job_id,
    held: 10_000,
    prices: DEFAULT_PRICES,
    totals: { places: 1, reviews: 0, images: 0 },
    include_emails: false,
    website_filter: 'all',
    started: true,
  })

  test('exist for one job and for many, only for their owner', async () => {
    const { user_id, key } = await testUser(db)
    const stranger = await testUser(db)
    jobsOf.set(user_id, [job(first), job(second)])
    const one = await api.call('GET', `/api/v1/jobs/${first}/costs`, { key })
    const report = {
      job_id: first,
      items: [
        { event_type: 'job_start', quantity: 1, cost_credits: '0.007000' },
        { event_type: 'place_scraped', quantity: 1, cost_credits: '0.003000' },
      ],
      total_credits: '0.010000',
      total_rounded: 0,
      held_credits: '0.010000',
    }
    expect([one.status, one.body]).toEqual([200, report])
    const body = { job_ids: [first, second, first, '00000000-0000-4000-8000-000000000000'] }
    const many = await api.call('POST', '/api/v1/jobs/costs/batch', { key, body })
    expect(many.body).toEqual({ costs: { [first]: report, [second]: { ...report, job_id: second } } })
    const foreign = await api.call('POST', '/api/v1/jobs/costs/batch', { key: stranger.key, body })
    expect([foreign.status, foreign.body]).toEqual([200, { costs: {} }])
    expect((await api.call('GET', `/api/v1/jobs/${first}/costs`, { key: stranger.key })).status).toBe(404)
  })

  test('refuse malformed ids and unknown fields', async () => {
    const { key } = await testUser(db)
    const status = async (body: unknown) => (await api.call('POST', '/api/v1/jobs/costs/batch', { key, body })).status
    expect(await status({ job_ids: ['not-a-uuid'] })).toBe(422)
    expect(await status({ job_ids: [], ids: [] })).toBe(400)
    expect((await api.call('GET', '/api/v1/jobs/nonsense/costs', { key })).status).toBe(422)
  })
})

describe('credits', () => {
  test('a new account has no credits and no history', async () => {
    const { user_id, key } = await testUser(db)
    expect((await api.call('GET', '/api/v1/credits/balance', { key })).body).toEqual({
      user_id,
      credit_balance: '0.000000',
      available: '0.000000',
      held: '0.000000',
      total_credits_purchased: '0.000000',
    })
    expect((await api.call('GET', '/api/v1/credits/history', { key })).body).toEqual({
      transactions: [],
      total: 0,
      page: 1,
      limit: 50,
      has_more: false,
    })
  })

  test('the balance says what is held for jobs, and what is left for new ones without a deficit', async () => {
    const { user_id, key } = await testUser(db)
    const balance = async () => (await api.call('GET', '/api/v1/credits/balance', { key })).body
    await bonus(user_id, 1_000_000)
    await holds.reserve({ user_id, job_id: crypto.randomUUID(), max: 300_000, min: 1 })
    expect(await balance()).toMatchObject({ credit_balance: '1.000000', available: '0.700000', held: '0.300000' })

    const deficit = { type: 'refund_deficit' as const, amount: 0, deficit_change: 200_000, description: 'Refund' }
    await ledger.append(user_id, { reference_type: 'refund', reference_id: 're_1' }, () => deficit)
    expect(await balance()).toMatchObject({ credit_balance: '1.000000', available: '0.500000', held: '0.300000' })
  })

  test('the history shows changes of the balance, newest first, and no holds', async () => {
    const { user_id, key } = await testUser(db)
    const job = { user_id, job_id: crypto.randomUUID(), job_name: 'Cafés' }
    await bonus(user_id, 1_000_000)
    await holds.reserve({ ...job, max: 500_000, min: 1 })
    await holds.chargeStart({ ...job, price: 7_000 })
    await holds.settle({ ...job, total: 57_000 })
    const all = await api.call('GET', '/api/v1/credits/history', { key })
    expect(all.body).toMatchObject({ total: 3, has_more: false })
    expect(all.body).toMatchObject({
      transactions: [
        {
          type: 'consumption',
          amount: '-0.050000',
          balance_before: '0.993000',
          balance_after: '0.943000',
          description: 'Job "Cafés"',
          reference_type: 'job_settlement',
          reference_id: job.job_id,
        },
        { type: 'consumption', amount: '-0.007000', balance_after: '0.993000', reference_type: 'job_start' },
        { type: 'bonus', amount: '1.000000', balance_before: '0.000000', reference_id: 'first' },
      ],
    })
    const page = await api.call('GET', '/api/v1/credits/history?type=consumption&limit=1&page=1', { key })
    expect(page.body).toMatchObject({ transactions: [{ amount: '-0.050000' }], total: 2, limit: 1, has_more: true })
    expect((await api.call('GET', '/api/v1/credits/history?type=', { key })).body).toMatchObject({ total: 3 })
    expect((await api.call('GET', '/api/v1/credits/balance', { key })).body).toMatchObject({
      credit_balance: '0.943000',
    })
  })

  test('the spending of each day is the charges of that UTC day, and 0 without any', async () => {
    const { user_id, key } = await testUser(db)
    await bonus(user_id, 1_000_000)
    const settled = async (total: number, ago: number) => {
      const job = { user_id, job_id: crypto.randomUUID(), job_name: 'Cafés' }
      await holds.reserve({ ...job, max: total, min: 1 })
      await holds.chargeStart({ ...job, price: 7_000 })
      await holds.settle({ ...job, total })
      const created_at = new Date(Date.now() - ago * 86_400_000)
      await ledgerEntries(db).updateMany({ user_id, reference_id: job.job_id }, { $set: { created_at } })
      return created_at.toISOString().slice(0, 10)
    }
    await settled(99_000, 3)
    const before = await settled(57_000, 2)
    await settled(30_000, 0)
    const today = await settled(20_000, 0)
    const { body } = await api.call('GET', '/api/v1/credits/spending?days=3', { key })
    expect(body).toMatchObject({
      days: [{ date: before, credits: '0.057000' }, { credits: '0.000000' }, { date: today, credits: '0.050000' }],
    })
  })
})
