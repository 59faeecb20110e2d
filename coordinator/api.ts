import { createLookup } from '@placefleet/shared/egress/lookup'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { createAuthenticator, createUserLimit } from './accounts/authentication.ts'
import { accountRoutes } from './accounts/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { creditRoutes } from './billing/ledger/routes.ts'
import { billedJob } from './billing/prices/cost.ts'
import { costRoutes } from './billing/prices/cost-routes.ts'
import { estimateRoutes } from './billing/prices/estimate-routes.ts'
import { stripeRoutes } from './billing/purchases/stripe/routes.ts'
import type { Config } from './config.ts'
import { consoleRoutes } from './console/server/routes.ts'
import { townRoutes } from './console/towns/routes.ts'
import { coverageRoutes } from './coverage/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import type { CountRequest } from './http/request-log.ts'
import { createServer } from './http/server.ts'
import type { Server } from './http/typed-server.ts'
import type { BuildInfo } from './http/version.ts'
import { createDemoJob } from './jobs/demo.ts'
import { createJobWatch } from './jobs/following/job-watch.ts'
import { followRoutes } from './jobs/following/routes.ts'
import { certifiedJob, presentJob } from './jobs/present.ts'
import { createJobActivity, recentJobs } from './jobs/reports.ts'
import { jobRoutes } from './jobs/routes.ts'
import { knownPlaceRoutes, UPLOADS } from './known-places/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { pingDatabase } from './mongo/connect.ts'
import { fullDatabaseDisk } from './mongo/data-disk.ts'
import { isDatabaseDown } from './mongo/failures.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { adminRoutes } from './operator/routes/routes.ts'
import { resultRoutes } from './results/routes.ts'
import { readBehind } from './results/store.ts'
import type { Services } from './services.ts'
import { supportRoutes } from './support/routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const prefix = '/api/v1'

/** The dependencies of the routes. */
type ApiDeps = { config: Config; log: Logger; db: Db; services: Services; build: BuildInfo }

/** Creates the server of the public API with all routes. It does not listen yet. */
export async function createApi(
  config: Config,
  log: Logger,
  db: Db,
  services: Services,
  build: BuildInfo,
  countRequest?: CountRequest,
): Promise<Server> {
  const server = await createServer({
    log,
    authenticator: createAuthenticator(db, {
      free: config.RATE_FREE,
      paid: config.RATE_PAID,
      session: config.RATE_SESSION,
      bootstrapKey: config.BOOTSTRAP_API_KEY,
    }),
    isUnavailable: isDatabaseDown,
    databaseAnswers: pingDatabase(db),
    databaseDiskIsFull: async () => (await fullDatabaseDisk(config)) !== undefined,
    databaseAcceptsWrites: services.presence.acceptsWrites,
    queueAnswers: services.notifier.answers,
    build,
    addressPolicy: config.RATE_ADDRESS,
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    countRequest,
  })
  const deps = { config, log, db, services, build }
  const jobOptions = jobOptionsOf(server, deps)
  await registerJobs(server, deps, jobOptions)
  await registerAccounts(server, deps, jobOptions)
  await registerWebhooks(server, deps)
  await server.register(adminRoutes, { prefix: `${prefix}/admin`, db, queue: services.queueFacts })
  await server.register(townRoutes, { prefix })
  await server.register(consoleRoutes, { mapStyleUrl: config.MAP_STYLE_URL })
  return server
}

type JobOptions = ReturnType<typeof jobOptionsOf>

/** Returns the dependencies of the routes that create and show jobs. */
function jobOptionsOf(server: Server, { config, db, services }: ApiDeps) {
  const isStopping = () => server.draining.on
  return {
    ...services,
    creationLimit: createUserLimit(db, 'job_create', config.RATE_JOB_CREATE, 'new jobs'),
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    watch: createJobWatch({ findListed: services.jobs.findListedOf, isStopping }),
    isStopping,
  }
}

/** Registers the routes of jobs, costs and results. */
async function registerJobs(server: Server, deps: ApiDeps, jobOptions: JobOptions): Promise<void> {
  const { config, log, db, services, build } = deps
  const { jobs } = services
  const { watch, isStopping } = jobOptions
  await server.register(estimateRoutes, { prefix, ...services })
  const uploadLimit = createUserLimit(db, 'known_places', UPLOADS, 'uploads (at most 3 a minute)')
  await server.register(knownPlaceRoutes, { prefix, known: services.known, uploadLimit })
  await server.register(jobRoutes, { prefix, ...jobOptions })
  await server.register(monitorRoutes, { prefix, ...jobOptions })
  await server.register(mcpRoutes, {
    ...jobOptions,
    ...{ db, version: build.version, publicUrl: config.PUBLIC_URL, isUnavailable: isDatabaseDown },
  })
  await server.register(followRoutes, {
    ...{ prefix, db, log, watch, isStopping, findJob: jobs.findListed },
    readBehind: ({ user_id, _id: job_id }, position, limit) => readBehind(db, { user_id, job_id }, position, limit),
  })
  await server.register(coverageRoutes, {
    prefix,
    coverage: services.coverage,
    findCertified: async (user_id, job_id) => {
      const job = await jobs.findListed(user_id, job_id)
      return job && certifiedJob(job)
    },
  })
  await server.register(costRoutes, {
    prefix,
    findJobsForCosts: async (user_id, job_ids) =>
      (await jobs.findSome(user_id, job_ids)).map((job) => ({ job_id: job._id, held: job.held, ...billedJob(job) })),
  })
  await server.register(resultRoutes, {
    prefix,
    db,
    findJob: async (user_id, job_id) => {
      const job = await jobs.findListed(user_id, job_id)
      return job && { id: job._id, name: job.name, status: job.status, totals: job.totals }
    },
    hiddenJobs: jobs.hidden,
    finalJobs: jobs.withResults,
  })
}

/** Registers the routes of sign-in, API keys, credits, the dashboard and support. */
async function registerAccounts(server: Server, deps: ApiDeps, jobOptions: JobOptions): Promise<void> {
  const { config, log, db, services } = deps
  const { oidc, secrets, payments, ledgerStore, demoCity } = services
  const onLinkUsed = async (user_id: string) => {
    const created = demoCity && createDemoJob({ db, ...jobOptions }, user_id)
    await canFail(log, 'creating the demo job', Promise.resolve(created))
  }
  const limits = { rate: config.RATE_SESSION, activeJobs: jobOptions.concurrentJobs }
  await server.register(authRoutes, { db, publicUrl: config.PUBLIC_URL, oidc, secrets, limits, onLinkUsed })
  await server.register(accountRoutes, { prefix, db, usedKeys: services.monitors.keyIds })
  await server.register(creditRoutes, { prefix, store: ledgerStore, checkout: payments.checkout })
  await server.register(stripeRoutes, { payments })
  await server.register(dashboardRoutes, {
    prefix,
    activity: createJobActivity(db),
    recentJobs: async (user_id, limit) => (await recentJobs(db, user_id, limit)).map(presentJob),
  })
  await server.register(supportRoutes, {
    prefix,
    db,
    limit: createUserLimit(db, 'support', config.RATE_SUPPORT, 'support requests'),
  })
}

async function registerWebhooks(server: Server, { config, db, services }: ApiDeps): Promise<void> {
  const { jobs, secrets, notifyDeliveries: notify } = services
  const allowHosts = config.WEBHOOK_ALLOW_HOSTS
  await server.register(webhookRoutes, { prefix, db, secrets, allowHosts, lookup: createLookup(allowHosts) })
  const hasJob = async (user_id: string, job_id: string) => (await jobs.findListed(user_id, job_id)) !== undefined
  await server.register(deliveryRoutes, { prefix, db, secrets, notify, hasJob })
}
