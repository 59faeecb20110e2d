import type { Job, SentJobRequest } from '@placefleet/shared/job'
import { traced } from '@placefleet/shared/tracing'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Db } from 'mongodb'
import type { z } from 'zod'
import type { Ledger } from '../billing/ledger/ledger.ts'
import { type CreditBalance, creditBalance } from '../billing/ledger/schema.ts'
import { type EstimateRoutesOptions, estimateFor } from '../billing/prices/estimate-routes.ts'
import type { EstimateAnswer, EstimateRequest } from '../billing/prices/estimate-schema.ts'
import type { Account } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { cancelJob } from '../jobs/cancel.ts'
import { waitForStatus } from '../jobs/following/routes.ts'
import { presentJob } from '../jobs/present.ts'
import { createJobFor, type JobRoutesOptions } from '../jobs/routes.ts'
import type { JobListQuery } from '../jobs/schema.ts'
import { presentMonitor } from '../monitors/present.ts'
import type { RunStore } from '../monitors/run-store.ts'
import type { Monitor } from '../monitors/schema.ts'
import type { MonitorStore } from '../monitors/store.ts'
import type { ResultDocument } from '../results/documents.ts'
import { presentResult } from '../results/present.ts'
import { readableJob } from '../results/routes.ts'
import type { Result, WebPresenceCounts } from '../results/schema.ts'
import { readJobPage } from '../results/store.ts'
import { MAX_ANSWER_BYTES, tooLong } from './tool.ts'

export type McpCallsDeps = JobRoutesOptions &
  Pick<EstimateRoutesOptions, 'countKnown'> & {
    db: Db
    ledger: Ledger
    monitors: MonitorStore
    runs: RunStore
    isStopping(): boolean
  }

export type PlacesPage<Shown> = { job: Job; places: Shown[]; total: number; web_presence_counts: WebPresenceCounts }

/**
 * Returns the calls that the tools make for an account. They use the functions of the API routes, and throw AppErrors.
 * @param parent the `traceparent` of the request, so that a job continues the trace of the client.
 */
export function callsFor(deps: McpCallsDeps, account: Account, parent: string | undefined) {
  const { db, jobs, engine, ledger, watch, isStopping } = deps
  const { user_id } = account
  const find = async (job_id: string) => orNotFound(await jobs.findListed(user_id, job_id), 'job')
  return {
    estimate: (request: EstimateRequest): Promise<EstimateAnswer> => estimateFor(deps, user_id, request, new Date()),

    async create(request: SentJobRequest): Promise<string> {
      return (await traced('create job', { parent }, () => createJobFor(deps, account, request))).job_id
    },

    /** Returns the job when its status has changed or `waitSeconds` have passed; 0 returns it at once. */
    async job(job_id: string, waitSeconds: number): Promise<Job> {
      const now = await waitForStatus({ watch, isStopping }, await find(job_id), waitSeconds)
      return presentJob(now ?? (await find(job_id)))
    },

    async jobs(query: z.infer<typeof JobListQuery>): Promise<{ jobs: Job[]; total: number }> {
      const found = await jobs.page(user_id, query)
      return { jobs: found.jobs.map(presentJob), total: found.total }
    },

    /**
     * Reads a page of places, each as `show` makes it.
     * @throws AppError `too_large` as soon as they are larger than an answer may be.
     */
    async places<Shown>(
      job_id: string,
      page: { page: number; limit: number; tiers: readonly WebPresence[] },
      show: (place: Result) => Shown,
    ): Promise<PlacesPage<Shown>> {
      const job = presentJob(await find(job_id))
      readableJob(job)
      let [read, bytes] = [0, 0]
      const bounded = (document: ResultDocument) => {
        const place = show(presentResult(document))
        read += 1
        if (read <= page.limit) bytes += Buffer.byteLength(JSON.stringify(place))
        if (bytes > MAX_ANSWER_BYTES) throw tooLong()
        return place
      }
      const { results: places, counts } = await readJobPage(db, { user_id, job_id }, page, bounded)
      const total = page.tiers.reduce((sum, tier) => sum + counts[tier], 0)
      return { job, places, total, web_presence_counts: counts }
    },

    cancel: (job_id: string): Promise<void> => cancelJob(jobs, engine, user_id, job_id),
    monitors: async (): Promise<Monitor[]> =>
      Promise.all((await deps.monitors.list(user_id)).map((monitor) => presentMonitor(deps.runs, monitor))),
    balance: async (): Promise<CreditBalance> => creditBalance(user_id, await ledger.state(user_id)),
  }
}

export type McpCalls = ReturnType<typeof callsFor>
