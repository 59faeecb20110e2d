import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createSession } from '@placefleet/coordinator/accounts/sessions'
import { ensureConsole } from '@placefleet/deploy/standalone/start'
import { createLogger } from '@placefleet/shared/log'
import type { Document } from 'mongodb'
import type { Browser, BrowserContext, Page } from 'playwright'
import { launchChromium } from '../console/harness/chromium.ts'
import { type Backend, benchLifecycle, endedJob, startBackend } from './api/backend.ts'
import { storePlaces } from './api/places.ts'
import { countOption } from './arguments.ts'
import type { Progress } from './progress.ts'
import { median, type Report } from './report.ts'

const JOBS = 10_000
const PLACES = 2_000

/** Collects tasks over 50 ms, which browsers report. */
const WATCH_TASKS = `
  window.longTasks = []
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })`

type Case = {
  name: string
  path: string
  /** Waits until the page shows its content. */
  useful(page: Page): Promise<void>
  /** Uses the page like a visitor. */
  use(page: Page): Promise<void>
}

type Figures = { name: string; firstPaintMs: number; usefulMs: number; longestTaskMs: number }

/** Opens and uses pages of the console with a list of many jobs and a job of 2,000 places. */
export async function benchConsole(args: string[], progress: Progress): Promise<Report> {
  const { values } = parseArgs({ args, options: { jobs: { type: 'string' }, runs: { type: 'string' } } })
  const jobs = countOption('jobs', values.jobs, JOBS)
  const runs = countOption('runs', values.runs, 3)
  const life = benchLifecycle()
  try {
    progress.begin(1 + 3 * runs)
    progress.now('storing jobs and places')
    await ensureConsole(createLogger('bench', 'error'))
    const backend = await startBackend(life)
    const { job_id, user_id } = await fill(backend, jobs)
    const browser = life.own('browser', await launchChromium(), (one) => one.close())
    progress.done()
    const figures: Figures[] = []
    for (let run = 0; run < runs; run++) {
      for (const one of casesOf(job_id)) {
        progress.now(one.name)
        figures.push(await measure(await signedIn(browser, backend, user_id), one))
        progress.done()
      }
    }
    return reportOf(jobs, figures)
  } finally {
    await life.close()
  }
}

/** Creates a job of 2,000 places, and many copies of it without places. */
async function fill(backend: Backend, count: number): Promise<{ job_id: string; user_id: string }> {
  const { db } = backend
  const owner = await endedJob(backend, 'Many places')
  await storePlaces(db, owner, PLACES)
  const jobs = db.collection<Document & { _id: string }>('jobs')
  const ended = {
    phase: 'ended',
    end: 'completed',
    status: 'completed',
    'totals.places': PLACES,
    'progress.discovered': PLACES,
  }
  await jobs.updateOne({ _id: owner.job_id }, { $set: ended, $unset: { cancel_reason: '' } })
  const job = await jobs.findOne({ _id: owner.job_id })
  if (!job) throw new Error('the job is gone')
  const copies = Array.from({ length: count - 1 }, (_, nth) => ({ ...job, _id: randomUUID(), name: `Job ${nth}` }))
  await jobs.insertMany(copies)
  return owner
}

const casesOf = (job_id: string): Case[] => [
  {
    name: 'list of jobs',
    path: 'jobs',
    useful: (page) => page.getByRole('table', { name: 'Your jobs' }).waitFor(),
    use: async (page) => {
      await page.getByRole('button', { name: 'Page 2', exact: true }).click()
      await page.waitForLoadState('networkidle')
      await page.getByLabel('Search').fill('Job 77')
      await page.getByText('111 jobs').waitFor()
    },
  },
  {
    name: 'last page by name',
    path: 'jobs?sort=name:asc&page=400',
    useful: (page) => page.getByRole('table', { name: 'Your jobs' }).waitFor(),
    use: (page) => page.waitForLoadState('networkidle'),
  },
  {
    name: `job of ${PLACES} places`,
    path: `jobs/${job_id}`,
    useful: (page) => page.getByRole('table', { name: 'Places of this job' }).waitFor(),
    use: async (page) => {
      await page.locator('.map[data-drawn]').waitFor()
      await page.getByRole('button', { name: 'Page 40' }).click()
      await page.getByText(`to 2,000 of 2,000 places`).waitFor()
      await page.getByText(/^no website \(/).click()
      await page.waitForLoadState('networkidle')
    },
  },
]

async function signedIn(browser: Browser, { db, url }: Backend, user_id: string): Promise<BrowserContext> {
  const { secret: value } = await createSession(db, user_id)
  const viewport = { width: 1_280, height: 900 }
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', viewport })
  await context.addCookies([{ name: 'placefleet_session', value, url }])
  await context.addInitScript(WATCH_TASKS)
  return context
}

async function measure(context: BrowserContext, { name, path, useful, use }: Case): Promise<Figures> {
  const page = await context.newPage()
  await page.goto(`/console/${path}`)
  await useful(page)
  const usefulMs = Number(await page.evaluate('performance.now()'))
  await use(page)
  const firstPaintMs = Number(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime"),
  )
  const longestTaskMs = Number(await page.evaluate('Math.max(0, ...window.longTasks)'))
  await context.close()
  return { name, firstPaintMs, usefulMs, longestTaskMs }
}

function reportOf(jobs: number, figures: readonly Figures[]): Report {
  const names = [...new Set(figures.map(({ name }) => name))]
  const of = (name: string, pick: (one: Figures) => number) =>
    median(figures.filter((one) => one.name === name).map(pick))
  const pages = names.map((name) => ({
    name,
    firstPaintMs: of(name, ({ firstPaintMs }) => firstPaintMs),
    usefulMs: of(name, ({ usefulMs }) => usefulMs),
    longestTaskMs: of(name, ({ longestTaskMs }) => longestTaskMs),
  }))
  return {
    figures: { bench: 'console', jobs, places: PLACES, pages, runs: figures },
    tables: [
      {
        title: `The console with ${jobs} jobs, each page opened in a new browser profile; maps are drawn in software`,
        head: ['', 'first paint ms', 'useful ms', 'longest task ms'],
        rows: pages.map((one) => Object.values(one)),
      },
    ],
    remarks: ['No task over 50 ms counts as 0: browsers report longer ones only.'],
  }
}
