import type { Job, SentJobRequest } from '@placefleet/shared/job'
import { traced } from '@placefleet/shared/tracing'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Db } from 'mongodb'
import type { z } from 'zod'
import { type CreditBalance, creditBalance } from '../billing/ledger/schema.ts'
import { type EstimateDeps, estimateFor } from '../billing/prices/estimate-for.ts'
import type { EstimateAnswer, EstimateRequest } from '../billing/prices/estimate-schema.ts'
import { type CertificateDeps, readCertificate } from '../coverage/read-certificate.ts'
import type { Account } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { cancelJob } from '../jobs/cancel.ts'
import type { CreatedJob } from '../jobs/create.ts'
import { fingerprint } from '../jobs/idempotency.ts'
import { readInputs } from '../jobs/inputs/read.ts'
import type { JobInput } from '../jobs/inputs/schema.ts'
import { type AccountJobDeps, createJobFor, type JobReads, jobAfter, pageOfJobs } from '../jobs/requests.ts'
import type { JobListQuery } from '../jobs/schema.ts'
import { findListed } from '../jobs/user-jobs.ts'
import { type ChangeDeps, checkControl, createMonitor } from '../monitors/change.ts'
import { type ChangeReads, listChanges } from '../monitors/changes/store.ts'
import { listMonitors, presentMonitor } from '../monitors/present.ts'
import { runNow } from '../monitors/run-now.ts'
import type { CreateMonitorRequest, Monitor } from '../monitors/schema.ts'
import type { ResultDocument } from '../results/documents.ts'
import { createDownloadLink, type DownloadLinkRequest } from '../results/download-links.ts'
import { presentResult } from '../results/present.ts'
import { finalJob, readableJob } from '../results/readable.ts'
import type { Result, WebPresenceCounts } from '../results/schema.ts'
import { readJobPage } from '../results/store.ts'
import type { FindTowns } from '../towns/find-towns.ts'
import type { Town } from '../towns/schema.ts'
import { MAX_ANSWER_BYTES, tooLong } from './tool.ts'

export type McpCallsDeps = AccountJobDeps &
  JobReads &
  EstimateDeps &
  CertificateDeps &
  ChangeDeps &
  ChangeReads & { db: Db; findTowns: FindTowns }

/** The most towns in one answer. */
const MAX_TOWNS = 5

type McpRequest = {
  /** The `traceparent`, so that a job continues the trace of the client. */
  parent: string | undefined
  /** The `Idempotency-Key`. */
  key: string | undefined
  /** The URL of the API, for links. */
  origin: string
}

type PlacesPage<Shown> = { job: Job; places: Shown[]; total: number; web_presence_counts: WebPresenceCounts }

/**
 * Returns the calls that the tools make for an account. They use the functions of the API routes, and throw AppErrors.
 */
export function callsFor(deps: McpCallsDeps, account: Account, { parent, key, origin }: McpRequest) {
  const { db, engine, ledger, secrets: signer } = deps
  const { user_id } = account
  return {
    estimate: (request: EstimateRequest): Promise<EstimateAnswer> => estimateFor(deps, user_id, request, new Date()),

    /**
     * Creates a job, or returns the one that the same request created in the last 24 hours: a client that lost the answer
     * calls again. No header can contain a line break, so no key of the API is the same.
     * @param request_id tells requests with the same arguments apart.
     */
    async create(request: SentJobRequest, request_id?: string): Promise<CreatedJob> {
      const hash = fingerprint(request)
      const idempotent = { key: key ?? `mcp\n${request_id ?? hash}`, fingerprint: hash }
      return traced('create job', { parent }, () => createJobFor(deps, account, request, idempotent))
    },

    /** Returns the job when its status has changed or `waitSeconds` have passed; 0 returns it at once. */
    job: (job_id: string, waitSeconds: number): Promise<Job> => jobAfter(deps, user_id, job_id, waitSeconds),
    jobs: (query: z.infer<typeof JobListQuery>) => pageOfJobs(deps, user_id, query),

    /**
     * Reads a page of places, each as `show` makes it.
     * @throws AppError `too_large` as soon as they are larger than an answer may be.
     */
    async places<Shown>(
      job_id: string,
      page: { page: number; limit: number; tiers: readonly WebPresence[] },
      show: (place: Result) => Shown,
    ): Promise<PlacesPage<Shown>> {
      const job = await jobAfter(deps, user_id, job_id, 0)
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

    /** Returns a link to a file with all places of an ended job. */
    async exportLink(job_id: string, format: z.infer<typeof DownloadLinkRequest>['format']) {
      const { _id: id, totals } = finalJob(await findListed(db, user_id, job_id))
      const link = await createDownloadLink({ db, signer }, { id, totals }, { format }, origin)
      return { ...link, places: totals.places }
    },

    /** Returns what became of the places that a job names, from `start` on, and how many it names. */
    async inputs(
      job_id: string,
      page: { start: number; limit: number },
    ): Promise<{ inputs: JobInput[]; total: number }> {
      const job = orNotFound(await findListed(db, user_id, job_id), 'job')
      return { inputs: await readInputs(db, job, page), total: job.data.places?.length ?? 0 }
    },

    towns: (search: string): Promise<Town[]> => deps.findTowns(search, MAX_TOWNS),
    cancel: (job_id: string): Promise<void> => cancelJob(db, engine, user_id, job_id),
    coverage: (job_id: string) => readCertificate(deps, user_id, job_id),
    monitors: (): Promise<Monitor[]> => listMonitors(deps, user_id),

    /** Creates a monitor, or returns the one that the same request created in the last 24 hours. */
    async createMonitor(request: CreateMonitorRequest): Promise<{ monitor: Monitor; replayed: boolean }> {
      const hash = fingerprint(request)
      const idempotent = { key: key ?? `mcp\n${hash}`, fingerprint: hash }
      const { monitor, replayed } = await createMonitor(deps, account, request, idempotent)
      return { monitor: await presentMonitor(deps.runs, monitor), replayed }
    },

    async runMonitor(monitor_id: string): Promise<{ job_id: string }> {
      await checkControl(deps, account, monitor_id)
      return runNow(deps, user_id, monitor_id, key)
    },

    /** Reads changes, newest first. */
    monitorChanges: (monitor_id: string, page: { before?: number | undefined; limit: number }) =>
      listChanges(deps, user_id, monitor_id, { ...page, after: 0, order: 'desc' }),

    balance: async (): Promise<CreditBalance> => creditBalance(user_id, await ledger.state(user_id)),
  }
}

export type McpCalls = ReturnType<typeof callsFor>
