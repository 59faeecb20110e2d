import { createLookup } from '@placefleet/shared/egress/lookup'
import { canFail } from '@placefleet/shared/log'
import { createAuthenticator } from './accounts/authentication.ts'
import { createUserLimit } from './accounts/limits.ts'
import { isOperator } from './accounts/roles.ts'
import { accountRoutes } from './accounts/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { creditRoutes } from './billing/ledger/routes.ts'
import { billedJob } from './billing/prices/cost.ts'
import { costRoutes } from './billing/prices/cost-routes.ts'
import { estimateRoutes } from './billing/prices/estimate-routes.ts'
import { stripeRoutes } from './billing/purchases/stripe/routes.ts'
import { consoleRoutes } from './console/server/routes.ts'
import { createFindTowns, type FindTowns } from './console/towns/find-towns.ts'
import { townRoutes } from './console/towns/routes.ts'
import { coverageRoutes } from './coverage/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { guideRoutes } from './guides/routes.ts'
import type { CountRequest } from './http/request-log.ts'
import { createServer } from './http/server.ts'
import type { Server } from './http/typed-server.ts'
import type { BuildInfo } from './http/version.ts'
import { createDemoJob } from './jobs/demo.ts'
import type { JobDocument } from './jobs/documents.ts'
import { createJobWatch } from './jobs/following/job-watch.ts'
import { followRoutes } from './jobs/following/routes.ts'
import { certifiedJob, presentJob } from './jobs/present.ts'
import { jobActivity, recentJobs } from './jobs/reports.ts'
import type { CreateForDeps, JobReads } from './jobs/requests.ts'
import { jobRoutes } from './jobs/routes.ts'
import type { JobStore } from './jobs/store.ts'
import { jobTaskRoutes } from './jobs/tasks/routes.ts'
import { knownPlaceRoutes, UPLOADS } from './known-places/routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { pingDatabase } from './mongo/connect.ts'
import { fullDatabaseDisk } from './mongo/data-disk.ts'
import { isDatabaseDown } from './mongo/failures.ts'
import { monitorRoutes } from './monitors/routes.ts'
import { fleetNames } from './operator/fleet-names.ts'
import { adminRoutes } from './operator/routes.ts'
import type { Process } from './process/process.ts'
import { type JobSummary, resultRoutes } from './results/routes.ts'
import { readBehind } from './results/store.ts'
import type { Services } from './services.ts'
import { supportRoutes } from './support/routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

const prefix = '/api/v1'

type ApiProcess = Pick<Process, 'config' | 'log' | 'db'>

/** The dependencies of the routes. */
type ApiDeps = ApiProcess & {
  services: Services
  build: BuildInfo
  creation: CreateForDeps & { jobs: JobStore }
  reads: Omit<JobReads, 'jobs'>
  findTowns: FindTowns
}

/** Creates the server of the public API with all routes. It does not listen yet. */
export async function createApi(
  { config, log, db }: ApiProcess,
  services: Services,
  { build, countRequest }: { build: BuildInfo; countRequest?: CountRequest | undefined },
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
  const isStopping = () => server.draining.on
  const creationLimit = createUserLimit(db, 'job_create', config.RATE_JOB_CREATE, 'new jobs')
  const watch = createJobWatch({ findListed: services.jobs.findListedOf, isStopping })
  const deps = {
    config,
    log,
    db,
    services,
    build,
    creation: { ...services.creation, creationLimit, allowHosts: config.EGRESS_ALLOW_HOSTS },
    reads: { watch, isStopping },
    findTowns: createFindTowns(),
  }
  await registerJobs(server, deps)
  await registerAccounts(server, deps)
  await registerWebhooks(server, deps)
  const agentPort = { publicUrl: config.PUBLIC_URL, grpcPort: config.GRPC_PORT }
  const { ledger, engine, proxyPool } = services
  await server.register(adminRoutes, {
    prefix: `${prefix}/admin`,
    db,
    ledger,
    engine,
    sources: { queue: services.queueState, proxyAgents: config.PROXY_AGENTS },
    proxyPool,
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    agentPort,
  })
  await server.register(townRoutes, { prefix, findTowns: deps.findTowns })
  await server.register(consoleRoutes, { mapStyleUrl: config.MAP_STYLE_URL })
  await server.register(guideRoutes)
  return server
}

/** Registers the routes of jobs, monitors, costs and results, and the tools for them. */
async function registerJobs(server: Server, deps: ApiDeps): Promise<void> {
  const { config, log, db, services, build, creation, reads, findTowns } = deps
  const { jobs, prices, ledger, countKnown, fleetExits, known, monitors, runs, monitoring } = services
  const { watch, isStopping } = reads
  await server.register(estimateRoutes, { prefix, prices, ledger, countKnown, fleetExits })
  const uploadLimit = createUserLimit(db, 'known_places', UPLOADS, 'uploads (at most 3 a minute)')
  await server.register(knownPlaceRoutes, { prefix, known, uploadLimit })
  await server.register(jobRoutes, { prefix, ...creation, ...reads })
  await server.register(monitorRoutes, { prefix, ...monitoring, allowHosts: config.EGRESS_ALLOW_HOSTS })
  await server.register(mcpRoutes, {
    ...creation,
    ...reads,
    db,
    ledger,
    countKnown,
    fleetExits,
    monitors,
    runs,
    findTowns,
    version: build.version,
    publicUrl: config.PUBLIC_URL,
    isUnavailable: isDatabaseDown,
  })
  await server.register(followRoutes, {
    prefix,
    db,
    log,
    watch,
    isStopping,
    findJob: jobs.findListed,
    readBehind: ({ user_id, _id: job_id }, position, limit) => readBehind(db, { user_id, job_id }, position, limit),
  })
  await server.register(jobTaskRoutes, {
    prefix,
    db,
    findJob: jobs.findListed,
    namesFor: async (account, tasks) => ((await isOperator(db, account)) ? fleetNames(db, tasks) : undefined),
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
      return job && summaryOf(job)
    },
    findLinked: async (job_id) => (await jobs.findListedOf([job_id])).map(summaryOf)[0],
    signer: services.secrets,
    publicUrl: config.PUBLIC_URL,
    hiddenJobs: jobs.hidden,
    finalJobs: jobs.withResults,
  })
}

const summaryOf = ({ _id: id, user_id, name, status, totals }: JobDocument): JobSummary => ({
  id,
  user_id,
  name,
  status,
  totals,
})

/** Registers the routes of sign-in, API keys, credits, the dashboard and support. */
async function registerAccounts(server: Server, deps: ApiDeps): Promise<void> {
  const { config, log, db, services, creation } = deps
  const { oidc, secrets, payments, ledgerStore, demoCity } = services
  const onLinkUsed = async (user_id: string) => {
    const created = demoCity && createDemoJob({ db, ...creation }, user_id)
    await canFail(log, 'creating the demo job', Promise.resolve(created))
  }
  const limits = { rate: config.RATE_SESSION, activeJobs: creation.concurrentJobs }
  const { PUBLIC_URL: publicUrl, ADMIN_EMAIL: email, ADMIN_TOKEN: token } = config
  const firstOperator = token === undefined ? undefined : { email, token }
  await server.register(authRoutes, { db, publicUrl, oidc, secrets, limits, firstOperator, onLinkUsed })
  await server.register(accountRoutes, { prefix, db, usedKeys: services.monitors.keyIds })
  await server.register(creditRoutes, { prefix, store: ledgerStore, checkout: payments.checkout })
  await server.register(stripeRoutes, { payments })
  await server.register(dashboardRoutes, {
    prefix,
    activity: (user_id) => jobActivity(db, user_id),
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
